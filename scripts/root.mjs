import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** @param {string} text */
export const say = (text) => process.stdout.write(`${text}\n`)

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
 * The same beside others: its output follows when it has ended, so that lines of two programs do not mix.
 * @param {string} program @param {string[]} args @param {Record<string, string>} [env] @returns {Promise<boolean>}
 */
export const runBeside = (program, args, env = {}) =>
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
    child.on('error', (error) => (process.stderr.write(`${error.message}\n`), resolve(false)))
    child.on('close', (code) => (process.stdout.write(Buffer.concat(output)), resolve(code === 0)))
  })

/** The path of a program that a package brings along. @param {string} name */
export const tool = (name) => `${root}/node_modules/.bin/${name}`

const oldest = [20, 19]

/** Ends with a plain sentence on a Node that is too old; every script asks first. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    giveUp(`需要 Node.js ${oldest.join('.')} 或更高版本，当前是 ${process.versions.node}。`)
}
