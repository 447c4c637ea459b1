import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { openPromise, type Entry } from 'yauzl'
import { Failure } from '../../../contract/core/failure.ts'
import { fileKinds } from '../../../contract/platform/files/files.calls.ts'
import { withSemaphore } from '../../core/base/semaphore.ts'

/** A type we keep: its MIME name and the ending its files get. */
export interface Kept {
  mime: string
  ending: string
}

const images: Record<string, Kept & { make: (image: Sharp) => Sharp }> = {
  'image/jpeg': { mime: 'image/jpeg', ending: 'jpg', make: (image) => image.jpeg({ quality: 85, mozjpeg: true }) },
  'image/png': { mime: 'image/png', ending: 'png', make: (image) => image.png({ compressionLevel: 8 }) },
  'image/webp': { mime: 'image/webp', ending: 'webp', make: (image) => image.webp({ quality: 85 }) },
}

const maxPixels = 40e6
const maxSide = 4096
/** A large image takes 160 MB while it is being made anew: two at a time, the rest wait. */
const decodingSlot = withSemaphore({ maxConcurrent: 2 })

/**
 * Draws an uploaded image anew, upright and at most 4096 points a side: nothing of the original survives but the
 * picture, so neither hidden scripts nor the place where a photo was taken.
 * @throws Failure `file-type-refused`, `file-too-large` (pixels), `file-broken`
 */
export async function remakeImage(path: string): Promise<Kept & { bytes: Buffer }> {
  const type = await fileTypeFromBuffer(await firstBytes(path))
  const kept = images[type?.mime ?? '']
  if (!kept) throw new Failure('file-type-refused', { allowed: fileKinds.image.allowed })
  return decodingSlot(async () => {
    try {
      const { width, height } = await sharp(path, { limitInputPixels: false }).metadata()
      if (width * height > maxPixels) throw new Failure('file-too-large', { limit: '4000 万像素' })
      const upright = sharp(path, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true }).autoOrient()
      const bytes = await kept
        .make(upright.resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true }))
        .timeout({ seconds: 15 })
        .toBuffer()
      return { mime: kept.mime, ending: kept.ending, bytes }
    } catch (error) {
      if (error instanceof Failure || (error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
      throw new Failure('file-broken', { what: '图片' })
    }
  })
}

/** The part that makes a package of its kind, and the type it then is. */
const packages: Record<string, Kept> = {
  'word/document.xml': {
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ending: 'docx',
  },
  'xl/workbook.xml': { mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ending: 'xlsx' },
  'ppt/presentation.xml': {
    mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ending: 'pptx',
  },
}

/**
 * Tells what a document is by its content. Office files are known by the parts listed in their archive, which is never
 * unpacked; those with macros are refused.
 * @throws Failure `file-type-refused`, `file-broken`
 */
export async function inspectDocument(path: string): Promise<Kept> {
  const start = await firstBytes(path)
  if (start.subarray(0, 5).equals(Buffer.from('%PDF-'))) return { mime: 'application/pdf', ending: 'pdf' }
  const refusal = new Failure('file-type-refused', { allowed: fileKinds.document.allowed })
  if (!start.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) throw refusal
  const names = await namesIn(path)
  const main = Object.keys(packages).filter((part) => names.has(part))
  if (
    main.length !== 1 ||
    !names.has('[Content_Types].xml') ||
    [...names].some((name) => /vbaProject|activeX/i.test(name))
  )
    throw refusal
  return packages[main[0]!]!
}

async function namesIn(path: string): Promise<Set<string>> {
  const names = new Set<string>()
  try {
    const archive = await openPromise(path, { lazyEntries: true, autoClose: true })
    await new Promise<void>((done, fail) => {
      archive.on('entry', (entry: Entry) => {
        names.add(entry.fileName)
        if (names.size > 5000) fail(new Error('too many entries'))
        else archive.readEntry()
      })
      archive.on('end', done)
      archive.on('error', fail)
      archive.readEntry()
    }).finally(() => archive.close())
  } catch {
    throw new Failure('file-broken', { what: '文档' })
  }
  return names
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4100), 0, 4100, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
