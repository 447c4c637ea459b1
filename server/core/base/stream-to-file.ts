import { createWriteStream, type WriteStream } from 'node:fs'

type FileOptions = Exclude<Parameters<typeof createWriteStream>[1], BufferEncoding | undefined>

/**
 * Pipes into a file, however the caller wants to. When that fails the file is closed before the error is told, so that
 * it can be removed for good: one that is still being opened would come into being after its removal.
 */
export async function streamToFile(
  path: string,
  options: FileOptions,
  pipe: (file: WriteStream) => Promise<void>,
): Promise<void> {
  const file = createWriteStream(path, options)
  try {
    await pipe(file)
  } catch (error) {
    const closed = new Promise<void>((done) => (file.closed ? done() : file.once('close', done)))
    file.on('error', () => {}).destroy()
    await closed
    throw error
  }
}
