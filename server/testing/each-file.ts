import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'

// run by vitest before every test file
afterAll(endFile)
