import { chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../../contract/core/failure.ts'
import { s3Store } from './s3.ts'
import { checkedKey, keyFor, type StoredAs } from './store-key.ts'
import { streamToFile } from '../base/stream-to-file.ts'

/** Where the contents of files live. What is known about them (owner, name, use) is in the table `file`. */
export interface FileStore {
  /**
   * Stores a content under a name of the store's own making, whole or not at all, and safe from a power cut once it
   * returns. Or under one that `newStoreKey` made before: who notes that first finds the content again even if they are
   * killed as soon as it is there.
   * @throws Failure `disk-full`
   */
  put(content: Readable | Uint8Array, about: StoredAs): Promise<string>
  /** @throws Failure `not-found` where nothing is stored under the key */
  get(storeKey: string): Promise<Readable>
  /** Removes a content; one that is gone already is no error. */
  remove(storeKey: string): Promise<void>
  /** Removes what interrupted writes left behind. */
  tidy(): Promise<void>
}

/**
 * The store that the settings name: a folder of the data folder, or an S3-compatible service shared by several
 * machines.
 */
export function openFiles({ dataDir, filesUrl }: { dataDir: string; filesUrl?: string | undefined }): FileStore {
  return filesUrl ? s3Store(filesUrl) : folderStore(join(dataDir, 'files'))
}

/** Keeps contents as files below `root`, which is made when first needed. */
export function folderStore(root: string): FileStore {
  const incoming = join(root, '.incoming')
  return {
    async put(content, about) {
      const key = keyFor(about)
      const [draft, path] = [join(incoming, key.slice(-32)), join(root, key)]
      try {
        await makeFolder(root, incoming)
        const source = content instanceof Readable ? content : Readable.from([content])
        await streamToFile(draft, { flags: 'wx', mode: 0o600, flush: true }, (file) => pipeline(source, file))
        await makeFolder(root, dirname(path))
        await giveToOwner(root, draft)
        await rename(draft, path)
        await syncFolder(dirname(path))
        return key
      } catch (error) {
        await rm(draft, { force: true })
        if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new Failure('disk-full')
        throw error
      }
    },
    async get(storeKey) {
      try {
        return (await open(join(root, checkedKey(storeKey)), 'r')).createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Failure('not-found')
        throw error
      }
    },
    remove: (storeKey) => rm(join(root, checkedKey(storeKey)), { force: true }),
    async tidy() {
      for (const name of await readdir(incoming).catch(() => [])) {
        const path = join(incoming, name)
        const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity)
        if (age > 3600_000) await rm(path, { force: true })
      }
    },
  }
}

/**
 * Makes a folder below `root`, and `root` itself, so that a power cut keeps them; new ones belong to whom the data
 * folder belongs.
 */
async function makeFolder(root: string, path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await giveToOwner(root, made)
    await syncFolder(dirname(made))
  }
}

async function giveToOwner(root: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(root))
  await chown(path, uid, gid)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
