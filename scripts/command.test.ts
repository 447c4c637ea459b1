import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const setup = join(root, 'server/setup')

/** What the commands themselves say of their use: the command, and a subcommand or an option that says what it does. */
const told = readdirSync(setup, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('command.ts'))
  .flatMap((path) => [
    ...readFileSync(join(setup, path), 'utf8').matchAll(/dekt ([a-z-]+) (?:归档位置 |位置 \[)?((?:--)?[a-z-]+)/g),
  ])
  .map(([, command, word]) => ({ command: command!, word: word! }))

test('the list of commands names every subcommand that a command understands', () => {
  expect(told).toEqual(
    expect.arrayContaining([
      { command: 'schools', word: 'quota' },
      { command: 'backup', word: '--take-over' },
      { command: 'restore', word: '--to' },
      { command: 'verify', word: '--drill' },
    ]),
  )
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/command.mjs'), 'nonsense'], {
    encoding: 'utf8',
  })
  const list = `${stdout}${stderr}`
  const lineOf = (command: string) => list.split('\n').find((line) => line.trim().startsWith(`dekt ${command} `)) ?? ''
  expect(told.filter(({ command, word }) => !lineOf(command).includes(word))).toEqual([])
})
