import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { needDebian } from './debian-package.ts'
import { atFileEnd } from './file-end.ts'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/sshd'

function generateKey(file: string): string {
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`ssh-keygen: ${made.stderr}`)
  return spawnSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' }).stdout.split(' ')[1]!
}

/**
 * Starts OpenSSH for this machine's own account, which signs in by `clientKey` and by nothing else; SFTP and nothing
 * else. `withOtherKey` starts it again, under another host key.
 */
export async function startSshd() {
  needDebian('openssh-server', () => existsSync(program))
  const folder = mkdtempSync(join(tmpdir(), 'sshd-'))
  const files = join(folder, 'files')
  mkdirSync(files)
  mkdirSync('/run/sshd', { recursive: true })
  const hostKey = generateKey(join(folder, 'host'))
  const otherHostKey = generateKey(join(folder, 'other'))
  generateKey(join(folder, 'client'))
  copyFileSync(join(folder, 'client.pub'), join(folder, 'authorized'))
  const port = await freePort()
  const start = async (host: string) => {
    writeFileSync(
      join(folder, 'config'),
      `ListenAddress 127.0.0.1
Port ${port}
HostKey ${join(folder, host)}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AuthorizedKeysFile ${folder}/authorized
Subsystem sftp internal-sftp
ForceCommand internal-sftp
`,
    )
    const child = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    for (let tries = 0; !(await isListening(port)); tries++) {
      if (tries > 100 || child.exitCode !== null) throw new Error(`sshd did not start (exit ${child.exitCode})`)
      await sleep(50)
    }
    return async () => {
      child.kill('SIGTERM')
      await ended
    }
  }
  let stop = await start('host')
  atFileEnd(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    address: `sftp://${userInfo().username}@127.0.0.1:${port}${files}`,
    files,
    clientKey: readFileSync(join(folder, 'client'), 'utf8'),
    hostKey,
    otherHostKey,
    async withOtherKey() {
      await stop()
      stop = await start('other')
    },
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => (socket.destroy(), answer(true)))
    socket.once('error', () => answer(false))
  })
