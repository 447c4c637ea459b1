import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2, { type Client, type FileEntryWithStats, type SFTPWrapper } from 'ssh2'
import { Failure } from '../../../contract/core/failure.ts'
import { OutboundFault, resolveOutbound } from '../../core/base/outbound.ts'
import { streamToFile } from '../../core/base/stream-to-file.ts'
import type { Context } from '../../core/request/context.ts'
import { settledMs, maxSourceBytes, tooLarge, type FetchOptions } from './fetched-file.ts'
import { fitsPattern } from './fits-pattern.ts'
import type { SourceConnection } from './source-connection.ts'

/** Milliseconds until a server has to have greeted and let us in. */
const readyMs = 10_000
/** Entries of a folder that are looked at. */
const maxEntries = 10_000

/**
 * The newest file of a folder of an SFTP server whose name fits. The server is known by its key: until somebody has
 * accepted that, and where it is another one, nothing is told to it, neither account nor password.
 */
export async function fromSftp({ config }: Context, place: SourceConnection, { folder, secret, signal }: FetchOptions) {
  const url = new URL(place.address)
  const target = await resolveOutbound(url.hostname, config.outboundPrivate, signal)
  const client = new ssh2.Client()
  const socket = connect({ host: target.address, port: Number(url.port || 22), family: target.family })
  const stop = () => socket.destroy(new OutboundFault('对方没有及时应答'))
  signal.addEventListener('abort', stop, { once: true })
  // whatever is under way when the connection breaks is ended by it
  const broken = new Promise<never>((_, reject) => {
    client.once('error', (error: Error) => reject(error))
    client.once('close', () => reject(new OutboundFault('连接被对方中断')))
    socket.once('error', (error: Error) => reject(error))
  })
  broken.catch(() => undefined)
  const orBroken = <T>(work: Promise<T>): Promise<T> => Promise.race([work, broken])
  try {
    await orBroken(signIn(client, { url, place, secret, socket }))
    const sftp = await orBroken(done<SFTPWrapper>((back) => client.sftp(back)))
    const inFolder = decodeURIComponent(url.pathname).replace(/\/*$/, '') || '.'
    const newest = await orBroken(newestFile(sftp, inFolder, place.fileName))
    const from = inFolder === '.' ? newest.name : `${inFolder}/${newest.name}`
    const path = join(folder, 'content')
    await orBroken(download(sftp, from, path, newest.name))
    return { path, name: newest.name }
  } catch (error) {
    throw asFault(error, decodeURIComponent(url.pathname))
  } finally {
    signal.removeEventListener('abort', stop)
    client.on('error', () => undefined)
    socket.on('error', () => undefined)
    client.end()
    socket.destroy()
  }
}

interface SignIn {
  url: URL
  place: SourceConnection
  secret: string | null
  socket: ReturnType<typeof connect>
}

/** Looks at the server's key, and only then signs in. */
function signIn(client: Client, { url, place, secret, socket }: SignIn): Promise<void> {
  const isKey = (secret ?? '').startsWith('-----BEGIN ')
  if (isKey) {
    const parsed = ssh2.utils.parseKey(secret!)
    if (parsed instanceof Error) throw new Failure('source-key-unreadable')
  }
  return new Promise((resolve, reject) => {
    client.once('ready', resolve)
    client.once('error', reject)
    client.connect({
      sock: socket,
      username: decodeURIComponent(url.username),
      ...(isKey ? { privateKey: secret! } : { password: secret ?? '' }),
      readyTimeout: readyMs,
      hostVerifier: (key: Buffer) => {
        const found = fingerprint(key)
        if (found === place.hostKey) return true
        reject(new Failure(place.hostKey ? 'source-host-changed' : 'source-host-unknown', { key: found }))
        return false
      },
    })
  })
}

/** The fingerprint as `ssh-keygen -l` shows it. */
const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

async function newestFile(sftp: SFTPWrapper, folder: string, pattern: string) {
  const handle = await done<Buffer>((back) => sftp.opendir(folder, back))
  const files: FileEntryWithStats[] = []
  for (let seen = 0; ;) {
    const entries = await done<FileEntryWithStats[]>((back) => sftp.readdir(handle, back)).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === ssh2.utils.sftp.STATUS_CODE.EOF) return undefined
      throw error
    })
    if (!entries) break
    seen += entries.length
    if (seen > maxEntries) throw new OutboundFault(`文件夹中超过 ${maxEntries} 个文件，请让对方清理或换用单独的文件夹`)
    // a link could lead anywhere, and a name with a slash as well
    files.push(
      ...entries.filter(
        ({ filename, attrs }) => attrs.isFile() && fitsPattern(filename, pattern) && !/\//.test(filename),
      ),
    )
  }
  await done<void>((back) => sftp.close(handle, back))
  const newest = files.toSorted((a, b) => b.attrs.mtime - a.attrs.mtime || (a.filename < b.filename ? 1 : -1))[0]
  if (!newest) throw new Failure('source-no-file', { name: pattern })
  return { name: newest.filename }
}

/** Takes a file that nobody writes any more: the same size and moment before, after a pause, and at the end. */
async function download(sftp: SFTPWrapper, from: string, path: string, name: string): Promise<void> {
  const look = async () => {
    const { size, mtime } = await done<{ size: number; mtime: number }>((back) => sftp.stat(from, back))
    return { size, mtime }
  }
  const first = await look()
  if (first.size > maxSourceBytes) throw tooLarge()
  await sleep(settledMs)
  let taken = 0
  await streamToFile(path, {}, (file) =>
    pipeline(
      sftp.createReadStream(from),
      async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          taken += part.length
          if (taken > maxSourceBytes) throw tooLarge()
          yield part
        }
      },
      file,
    ),
  )
  const last = await look()
  if (last.size !== first.size || last.mtime !== first.mtime || taken !== first.size)
    throw new Failure('source-file-growing', { name })
}

/** What goes wrong with SSH and SFTP, in words. */
function asFault(error: unknown, folder: string): unknown {
  if (error instanceof Failure || error instanceof OutboundFault) return error
  const { level, code } = error as { level?: string; code?: unknown }
  if (level === 'client-authentication') return new Failure('source-login-refused')
  if (level === 'client-timeout') return new OutboundFault(`对方 ${readyMs / 1000} 秒内没有应答，请确认是 SFTP 服务`)
  if (level === 'handshake') return new OutboundFault('与对方没有共同的加密方式，请让对方启用新的算法')
  if (level === 'protocol') return new OutboundFault('对方不是 SSH 服务，请核对主机与端口')
  if (code === ssh2.utils.sftp.STATUS_CODE.NO_SUCH_FILE)
    return new OutboundFault(`对方没有文件夹“${folder || '/'}”，请核对`)
  if (code === ssh2.utils.sftp.STATUS_CODE.PERMISSION_DENIED)
    return new OutboundFault('该账号没有读取该文件夹或文件的权限')
  return error
}

/** A function that calls back, as a promise. */
const done = <T>(ask: (back: (error: Error | null | undefined, found: T) => void) => unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    ask((error, found) => (error ? reject(error) : resolve(found)))
  })
