import { afterAll, expect } from 'vitest'
import { endFile } from './file-end.ts'
import { statementFaults, watchStatements } from './tenancy/watch-statements.ts'

// run by vitest before every test file
watchStatements()
afterAll(async () => {
  await endFile()
  expect(statementFaults(), 'statements that name no school; see server/testing/tenancy/across-schools.ts').toEqual([])
})
