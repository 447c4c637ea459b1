import { Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import { need } from './need.ts'

export interface ZipEntry {
  /** Path in the archive, `/` between folders. */
  name: string
  /** A stream is asked for when its turn comes, so that only one is open at a time. */
  content: Uint8Array | string | (() => Readable | Promise<Readable>)
}

/**
 * An archive written as it is read. Names are UTF-8 and made harmless: no absolute paths, no `..`, no signs a file
 * system refuses; of two equal names the second gets a number. An error of an entry ends the stream with that error.
 * @param at moment that all entries carry
 */
export function zipStream(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>, at: Date): Readable {
  const packer = need('yazl') as typeof import('yazl')
  const zip = new packer.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  void fill(zip, output, entries, at).catch((error: Error) => output.destroy(error))
  return output
}

async function fill(
  zip: ZipFile,
  output: Readable,
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  mtime: Date,
): Promise<void> {
  const taken = new Set<string>()
  let open: Readable | undefined
  // a reader who leaves must not leave the source of an entry open
  output.once('close', () => open?.destroy())
  for await (const { name, content } of entries) {
    if (output.destroyed) return
    const path = unused(harmless(name), taken)
    if (typeof content === 'function') {
      zip.addReadStreamLazy(path, { mtime }, (done) => {
        Promise.resolve()
          .then(content)
          .then((stream) => done(null, (open = stream.on('error', (error) => output.destroy(error)))))
          .catch((error: Error) => output.destroy(error))
      })
    } else zip.addBuffer(Buffer.from(content), path, { mtime })
  }
  zip.end()
}

// oxlint-disable-next-line no-control-regex -- control characters are among what is being removed
const unfit = /[\u0000-\u001f\u007f<>:"|?*\\]/g

/** A path that stays inside the folder it is unpacked to, on any system. */
const harmless = (name: string): string =>
  name
    .split('/')
    .map((part) =>
      part
        .replace(unfit, '_')
        .replace(/^[.\s]+|[.\s]+$/g, '')
        .slice(0, 100),
    )
    .filter((part) => part !== '')
    .join('/') || '未命名'

function unused(path: string, taken: Set<string>): string {
  const [, stem, ending] = /^(.*?)(\.[^./]{1,10})?$/s.exec(path) as unknown as [string, string, string | undefined]
  let free = path
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem}(${n})${ending ?? ''}`
  taken.add(free.toLowerCase())
  return free
}
