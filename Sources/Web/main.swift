WebProgram.main()
