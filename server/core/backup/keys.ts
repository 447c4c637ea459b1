import { readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { StartFault } from '../base/start-fault.ts'

/**
 * Backups are encrypted in the age format (age-encryption.org) for recipients, which are public; what opens them, the
 * identity, is needed for restoring alone and lies elsewhere. The programs of that format read our parts too.
 */
export interface Recipients {
  /** As they are written: `age1…`. */
  names: readonly string[]
  encrypt(plain: Readable): Promise<Readable>
}

/** What decrypts backups. */
export interface DecryptionKey {
  /** The recipients whose backups it opens. */
  recipients: readonly string[]
  decrypt(sealed: Readable): Promise<Readable>
}

/** @throws StartFault where one of them is not a recipient */
export async function openRecipients(names: readonly string[]): Promise<Recipients> {
  if (names.length === 0)
    throw new StartFault(
      '没有设置 BACKUP_RECIPIENTS（用谁的公钥加密备份）。\n' +
        '先运行 dekt backup --new-key 密钥文件 生成一对密钥：把它打印的 age1… 填入 BACKUP_RECIPIENTS，密钥文件存到别处。',
    )
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const name of names) {
    try {
      encrypter.addRecipient(name)
    } catch {
      throw new StartFault(`BACKUP_RECIPIENTS 中的 ${name} 不是 age 公钥（age1…）。`)
    }
  }
  return { names, encrypt: async (plain) => fromWeb(await encrypter.encrypt(toWeb(plain))) }
}

/**
 * Reads an identity file: comments and one or more lines `AGE-SECRET-KEY-…`.
 * @throws StartFault
 */
export async function openIdentity(path: string | undefined): Promise<DecryptionKey> {
  if (!path) throw new StartFault('请用 BACKUP_IDENTITY 指定打开备份的密钥文件（dekt backup --new-key 生成的那个）。')
  const lines = readIdentityFile(path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  const { Decrypter, identityToRecipient } = await import('age-encryption')
  const decrypter = new Decrypter()
  try {
    const recipients = await Promise.all(lines.map((line) => identityToRecipient(line)))
    for (const line of lines) decrypter.addIdentity(line)
    if (lines.length === 0) throw new Error('no identity')
    return { recipients, decrypt: async (sealed) => fromWeb(await decrypter.decrypt(toWeb(sealed))) }
  } catch {
    throw new StartFault(`BACKUP_IDENTITY 指定的 ${path} 不是 age 密钥文件（其中应有一行 AGE-SECRET-KEY-1…）。`)
  }
}

function readIdentityFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartFault(`读不到 BACKUP_IDENTITY 指定的密钥文件 ${path}：${(error as Error).message}`)
  }
}

/**
 * Writes a new identity into a file that is not there yet, readable by its owner alone.
 * @returns its recipient
 * @throws StartFault
 */
export async function makeIdentity(path: string, now: string): Promise<string> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  try {
    writeFileSync(path, `# created: ${now}\n# public key: ${recipient}\n${identity}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StartFault(`${path} 已经存在，没有覆盖。请换一个文件名。`)
    throw new StartFault(`不能写入 ${path}：${(error as Error).message}`)
  }
  return recipient
}

const toWeb = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>
const fromWeb = (stream: ReadableStream<Uint8Array>): Readable => Readable.fromWeb(stream as unknown as WebStream)
