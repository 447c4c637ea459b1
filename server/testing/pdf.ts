import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs one of poppler's programs on a PDF and returns what it printed, or the file it wrote. */
async function poppler<R>(pdf: Uint8Array, act: (path: string, folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), 'pdf-'))
  try {
    const path = join(folder, 'in.pdf')
    await writeFile(path, pdf)
    return await act(path, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The text of a PDF as another program reads it. `raw` keeps the order in which it was drawn, `layout` the places;
 * pages end with a form feed.
 */
export const pdfText = (pdf: Uint8Array, mode: 'raw' | 'layout' = 'raw'): Promise<string> =>
  poppler(
    pdf,
    async (path) => (await run('pdftotext', [`-${mode}`, '-enc', 'UTF-8', path, '-'], { maxBuffer: 64e6 })).stdout,
  )

/** The text without any white space: cells that run over several lines are whole again. */
export const pdfWords = async (pdf: Uint8Array): Promise<string> => (await pdfText(pdf)).replace(/\s+/g, '')

/** The fonts of a PDF: name and whether it is embedded, a subset, and copied out by Unicode. */
export const pdfFonts = (pdf: Uint8Array) =>
  poppler(pdf, async (path) => {
    const { stdout } = await run('pdffonts', [path])
    return stdout
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => {
        const [name, ...rest] = line.trim().split(/\s+/)
        const [embedded, subset, unicode] = rest.slice(-5, -2)
        return { name, embedded: embedded === 'yes', subset: subset === 'yes', unicode: unicode === 'yes' }
      })
  })

/** One page as a PNG picture. */
export const pdfPicture = (pdf: Uint8Array, page: number, dpi: number): Promise<Buffer> =>
  poppler(pdf, async (path, folder) => {
    await run('pdftoppm', [
      '-png',
      '-singlefile',
      '-r',
      String(dpi),
      '-f',
      String(page),
      '-l',
      String(page),
      path,
      join(folder, 'page'),
    ])
    return readFile(join(folder, 'page.png'))
  })

/** The first file attached to a PDF. */
export const pdfAttachment = (pdf: Uint8Array): Promise<string> =>
  poppler(pdf, async (path, folder) => {
    await run('pdfdetach', ['-save', '1', '-o', join(folder, 'attached'), path])
    return readFile(join(folder, 'attached'), 'utf8')
  })

/** Whether OpenSSL finds that these bytes carry this Ed25519 signature. `key`: 32 bytes. */
export async function opensslVerifies(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'openssl-'))
  try {
    const at = (name: string) => join(folder, name)
    await writeFile(at('key.der'), Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]))
    await writeFile(at('bytes'), bytes)
    await writeFile(at('signature'), signature)
    const verdict = await run('openssl', [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      at('key.der'),
      '-keyform',
      'DER',
      '-rawin',
      '-in',
      at('bytes'),
      '-sigfile',
      at('signature'),
    ]).catch((error: { stdout: string }) => error)
    return /Verified Successfully/.test(verdict.stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
