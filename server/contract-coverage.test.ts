import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fullPath } from '../contract/core/call.ts'
import { allCalls } from '../contract/index.ts'
import { testApp } from './testing/app.ts'

/** Every call the specification names: method and path, and after a bar the fields, a line each. */
const wanted = readFileSync(join(import.meta.dirname, 'testing/spec-calls.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' | ')[0]!)
/** Paths with their parameters named alike, whatever each is called. */
const alike = (line: string) => line.replace(/\{\w+\}/g, '{}')
const answered = new Set(allCalls.map(({ call }) => alike(`${call.method} ${fullPath(call)}`)))

test('the contract holds every call of the specification', () => {
  expect(wanted.filter((line) => !answered.has(alike(line)))).toEqual([])
})

test('the service knows the path of each: never “no such address”', async () => {
  const { address } = await testApp()
  const lost: string[] = []
  for (const line of wanted) {
    const [method, path] = line.split(' ') as [string, string]
    const response = await fetch(address + path.replace('{kind}', 'college').replace(/\{\w+\}/g, '1'), { method })
    const { reason } = (await response.json().catch(() => ({}))) as { reason?: string }
    if (reason === 'no-such-call') lost.push(line)
  }
  expect(lost).toEqual([])
})
