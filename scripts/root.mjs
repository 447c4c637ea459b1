import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { say } from './progress.mjs'

export { say }

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** Whether this is an unpacked release, which has the built program and no sources. */
export const isRelease = !existsSync(`${root}/server/main.ts`)

/** Says why it cannot go on, and ends. @param {string} text @returns {never} */
export function giveUp(text) {
  process.stderr.write(`\n${text}\n`)
  process.exit(1)
}

/**
 * Runs a program in the root folder with our output; true when it succeeded.
 * @param {string} program @param {string[]} args @param {Record<string, string>} [env]
 */
export const run = (program, args, env = {}) =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

/**
 * The same in quiet: what it prints is kept, to be shown where it matters.
 * @param {string} program @param {string[]} args @param {Record<string, string>} [env]
 * @returns {Promise<{ good: boolean, output: string }>} `output` is the text of both streams, of a program that cannot
 *   be run the reason
 */
export const runQuietly = (program, args, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    /** @type {Buffer[]} */
    const output = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (/** @type {Buffer} */ chunk) => output.push(chunk))
    child.on('error', (error) => resolve({ good: false, output: error.message }))
    child.on('close', (code) => resolve({ good: code === 0, output: Buffer.concat(output).toString() }))
  })

/**
 * The same beside others: its output follows when it has ended, so that lines of two programs do not mix.
 * @param {string} program @param {string[]} args @param {Record<string, string>} [env] @returns {Promise<boolean>}
 */
export async function runBeside(program, args, env = {}) {
  const { good, output } = await runQuietly(program, args, env)
  process.stdout.write(output)
  return good
}

/** The last lines of what a program printed, indented, for a message that quotes them. @param {string} output */
export const quoted = (output, lines = 12) =>
  output
    .trim()
    .split('\n')
    .slice(-lines)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n')

/** The path of a program that a package brings along. @param {string} name */
export const tool = (name) => `${root}/node_modules/.bin/${name}`

const oldest = [20, 19]

/** Ends with a plain sentence on a Node that is too old; every script asks first. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    giveUp(`需要 Node.js ${oldest.join('.')} 或更高版本，当前是 ${process.versions.node}。`)
}
