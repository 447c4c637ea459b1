import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileState } from '../../../contract/core/codes/platform.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { fullPath } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { fileApi, fileKinds, type FileKind } from '../../../contract/platform/files/files.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { newStoreKey } from '../../core/files/store-key.ts'
import { takeQuota } from '../../core/request/quotas.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import type { Kept } from './inspect.ts'

/** What one person may have uploaded without having saved the record it belongs to; bytes. */
const unusedLimit = 500 * 1_048_576

/** Where a stored file can be fetched; for answers of other domains. */
const fileUrl = (fileId: string): string => `${fullPath(fileApi.view)}?id=${fileId}`

/** The files a person may see: their own, and those that records of their school hold; but no private ones. */
const visibleFiles = ({ db, actor }: Context) =>
  from({ db, actor }, 'file')
    .where('file.fileState', '!=', fileState.abandoned)
    .where('file.isPrivate', '=', false)
    .where((where) => where.or([where('file.ownerId', '=', actor.suId), where('file.fileState', '=', fileState.inUse)]))

/**
 * Checks and stores an uploaded file. It belongs to nobody's record yet: a save that names it keeps it ({@link
 * useFiles}), else it goes after 24 hours.
 */
export async function uploadFile(ctx: Context, { kind }: Checked<typeof fileApi.upload>) {
  const { upload, files, actor } = ctx
  if (!upload) throw new Failure('file-missing')
  const { limit, limitText } = fileKinds[kind]
  if (upload.size > limit) throw new Failure('file-too-large', { limit: limitText })
  await assertNotHoarding(ctx, upload.size)
  const { kept, content, size, sha256 } = await prepare(upload.path, kind)
  const storeKey = newStoreKey({ schoolId: actor.schoolId, kind })
  const row = { fileId: newId(), fileName: withEnding(upload.name, kept.ending), mime: kept.mime, size }
  // noted before there is a content, so that the sweep finds it whatever is killed when
  await ctx.db
    .insertInto('file')
    .values({
      ...row,
      schoolId: actor.schoolId,
      storeKey,
      sha256,
      kind,
      ownerId: actor.suId,
      createTime: ctx.clock.now(),
    })
    .execute()
  try {
    await files.put(content(), { storeKey })
    await inTransaction(ctx, async (ctx) => {
      await takeQuota(ctx, actor.schoolId, 'bytes', size)
      await audit(ctx, {
        action: fileApi.upload.summary,
        bizType: 'file',
        bizId: row.fileId,
        bizName: row.fileName,
        after: { ...row, sha256 },
      })
    })
  } catch (error) {
    await forget(ctx, storeKey).catch((err: unknown) =>
      ctx.log.warn({ err, storeKey }, 'an upload that failed could not be removed; the sweep will'),
    )
    throw error
  }
  return { ...row, url: fileUrl(row.fileId) }
}

/** Removes an upload of which nobody knows yet, its content first. */
async function forget({ db, actor, files }: Context, storeKey: string): Promise<void> {
  await files.remove(storeKey)
  await db.deleteFrom('file').where('schoolId', '=', actor.schoolId).where('storeKey', '=', storeKey).execute()
}

/** Gives the content of a file the person may see. */
export async function viewFile(ctx: Context, { id }: Checked<typeof fileApi.view>): Promise<FileAnswer> {
  return contentOf(ctx, visibleFiles(ctx).where('file.fileId', '=', id))
}

/** A private file that a record holds; that the person may see that record is for the caller to know. */
const privateFile = (ctx: Context, fileId: string) =>
  from(ctx, 'file')
    .where('file.fileState', '=', fileState.inUse)
    .where('file.isPrivate', '=', true)
    .where('file.fileId', '=', fileId)

/** Gives the content of a private file; that the person may see the record that holds it is for the caller to know. */
export const viewPrivateFile = (ctx: Context, fileId: string): Promise<FileAnswer> =>
  contentOf(ctx, privateFile(ctx, fileId))

async function contentOf({ files }: Context, query: ReturnType<typeof visibleFiles>): Promise<FileAnswer> {
  const row = await query.select(['storeKey', 'fileName', 'mime']).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return { name: row.fileName, type: row.mime, body: await files.get(row.storeKey) }
}

/**
 * An image as a PNG that can be printed, at most 600 points a side; undefined where there is none or it cannot be seen.
 * @param isPrivate a private file, which the caller knows the person may print
 */
export async function pictureForPrint(
  ctx: Context,
  fileId: string | null,
  { isPrivate = false } = {},
): Promise<Buffer | undefined> {
  if (!fileId) return undefined
  const query = isPrivate ? privateFile(ctx, fileId) : visibleFiles(ctx).where('file.fileId', '=', fileId)
  const row = await query.select('storeKey').where('kind', '=', 'image').executeTakeFirst()
  if (!row) return undefined
  const { default: sharp } = await import('sharp')
  return sharp(await buffer(await ctx.files.get(row.storeKey)))
    .resize({ width: 600, height: 600, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

/**
 * Photos of people as small JPEGs, by file; those that are gone are left out. One statement. That the person may print
 * them is for the caller to know.
 */
export async function photosForPrint(
  { db, actor, files }: Context,
  fileIds: readonly string[],
): Promise<Map<string, Buffer>> {
  if (fileIds.length === 0) return new Map()
  const rows = await from({ db, actor }, 'file')
    .select(['fileId', 'storeKey'])
    .where('fileState', '=', fileState.inUse)
    .where('isPrivate', '=', true)
    .where('kind', '=', 'image')
    .where(anyOf('fileId', [...fileIds]))
    .execute()
  const { default: sharp } = await import('sharp')
  const photos = new Map<string, Buffer>()
  for (const { fileId, storeKey } of rows)
    photos.set(
      fileId,
      await sharp(await buffer(await files.get(storeKey)))
        .rotate()
        .resize({ width: 300, height: 400, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .jpeg({ quality: 82 })
        .toBuffer(),
    )
  return photos
}

/**
 * A picture that a school shows to everybody, as a data address; null where there is none. The caller vouches that it
 * is meant for everybody.
 * @param side longest side in points; photographs become JPEG, what is to keep its transparency PNG
 */
export async function publicPicture(
  { db, files }: PublicContext,
  schoolId: string,
  fileId: string | null,
  { side, as }: { side: number; as: 'png' | 'jpeg' },
): Promise<string | null> {
  const row =
    fileId &&
    (await from({ db, schoolId }, 'file')
      .select('storeKey')
      .where('fileId', '=', fileId)
      .where('kind', '=', 'image')
      .where('isPrivate', '=', false)
      .executeTakeFirst())
  if (!row) return null
  const { default: sharp } = await import('sharp')
  const small = sharp(await buffer(await files.get(row.storeKey))).resize({
    width: side,
    height: side,
    fit: 'inside',
    withoutEnlargement: true,
  })
  const bytes = await (
    as === 'png'
      ? small.png({ palette: true })
      : small.flatten({ background: '#fff' }).jpeg({ quality: 72, mozjpeg: true })
  ).toBuffer()
  return `data:image/${as};base64,${bytes.toString('base64')}`
}

async function assertNotHoarding({ db, actor }: Context, size: number): Promise<void> {
  const { unused } = await from({ db, actor }, 'file')
    .select((select) => select.fn.coalesce(select.fn.sum<string>('size'), select.val('0')).as('unused'))
    .where('ownerId', '=', actor.suId)
    .where('fileState', '=', fileState.uploaded)
    .executeTakeFirstOrThrow()
  if (Number(unused) + size > unusedLimit) throw new Failure('files-unused')
}

async function prepare(path: string, kind: FileKind) {
  const { inspectDocument, remakeImage } = await import('./inspect.ts')
  if (kind === 'image') {
    const { bytes, ...kept } = await remakeImage(path)
    return {
      kept: kept as Kept,
      content: () => bytes,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
  }
  const kept = await inspectDocument(path)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { kept, content: () => createReadStream(path), size, sha256: hash.digest('hex') }
}

/** The person's own name for the file with the ending that its content calls for. */
const withEnding = (name: string, ending: string): string => {
  const stem = name
    .replace(/\p{Surrogate}/gu, '')
    .replace(/\.[^.]{0,10}$/, '')
    .replace(/^[.\s]+/, '')
  return `${Array.from(stem).slice(0, 100).join('').trim() || '未命名文件'}.${ending}`
}
