import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { fileState } from '../../../contract/core/codes/platform.ts'
import { fullPath } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import type { FileStore } from '../../core/files/files.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { zipStream } from '../../core/base/zip.ts'
import { openDatabase } from '../../core/database/pool.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { pictureForPrint, uploadFile } from './files.service.ts'
import { releaseFiles, replaceFiles, sweepOrphans, useFiles } from './file-use.service.ts'

await useOwnDatabase()

let school: TestSchool
let teacher: TestPerson
let colleague: TestPerson

beforeAll(async () => {
  school = await newSchool()
  teacher = await school.person('GUIDE_TEACHER')
  colleague = await school.person('GUIDE_TEACHER')
})

const picture = (format: 'png' | 'jpeg' | 'webp' = 'png') =>
  sharp({ create: { width: 64, height: 32, channels: 3, background: '#c02030' } })
    .toFormat(format)
    .toBuffer()
const zip = (...names: string[]) =>
  buffer(
    zipStream(
      names.map((name) => ({ name, content: '<x/>' })),
      new Date(),
    ),
  )
const upload = (who: TestPerson, name: string, bytes: Uint8Array, kind = 'image') =>
  who.client.upload(fileApi.upload, { name, bytes }, { kind })
const uploaded = async (who = teacher) => (await upload(who, '海报.png', await picture())).data.fileId
const contextOf = (who: TestPerson, of = school): Context => ({
  ...of.ctx,
  scope: wholeSchool,
  actor: {
    schoolId: of.schoolId,
    suId: who.suId,
    suNickname: who.suiName,
    suLoginName: who.suiNumber,
    sessionId: 'test',
    mustChangePwd: false,
    permits: new Set(),
    roleIds: [],
    scopeFor: () => wholeSchool,
  },
})
const inOne = (who: TestPerson, act: (ctx: Context) => Promise<void>) => inTransaction(contextOf(who), act)
const seenBy = async (who: { client: TestPerson['client'] }, id: string) =>
  (await who.client.ask(fileApi.view, { id })).status

describe('an uploaded image', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'is kept as %s, answered and shown again with safe headers',
    async (format) => {
      const { data, code } = await upload(teacher, `../../海报.${format}`, await picture(format))
      expect(code).toBe(200)
      expect(data).toMatchObject({
        fileName: `海报.${format === 'jpeg' ? 'jpg' : format}`,
        mime: `image/${format}`,
        url: `${fullPath(fileApi.view)}?id=${data.fileId}`,
      })
      const answer = await teacher.client.fetch(fileApi.view, { id: data.fileId })
      expect(answer.headers.get('content-type')).toBe(`image/${format}`)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /)
      expect(answer.headers.get('content-security-policy')).toContain('sandbox')
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.length).toBe(data.size)
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 64, height: 32 })
    },
  )

  test('loses everything but the picture: place, maker, and whatever was appended', async () => {
    const photo = await sharp(await picture('jpeg'))
      .withExif({ IFD0: { Copyright: '隐私' }, IFD3: { GPSLatitude: '31/1 12/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const { data } = await upload(teacher, 'p.jpg', Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]))
    const { bytes } = await teacher.client.download(fileApi.view, { id: data.fileId })
    const kept = await sharp(bytes).metadata()
    expect(kept.exif).toBeUndefined()
    expect(kept).toMatchObject({ width: 32, height: 64 })
    expect(bytes.includes('<script>')).toBe(false)
  })

  test('is made smaller when it is larger than any screen', async () => {
    const large = await sharp({ create: { width: 6000, height: 1500, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const { data } = await upload(teacher, 'wide.png', large)
    const { bytes } = await teacher.client.download(fileApi.view, { id: data.fileId })
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 4096, height: 1024 })
  })

  test.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'file-type-refused'],
    [
      'SVG with an XML head',
      () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'file-type-refused',
    ],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'file-type-refused'],
    ['a GIF that is also a script', () => Buffer.from('GIF89a/*\0\0*/=1;alert(1)//'), 'file-type-refused'],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%%EOF'), 'file-type-refused'],
    ['a PNG that ends after its head', async () => (await picture()).subarray(0, 40), 'file-broken'],
    [
      'a PNG with rubbish inside',
      async () => Buffer.concat([(await picture()).subarray(0, 45), Buffer.alloc(200, 7)]),
      'file-broken',
    ],
    ['a PNG of 400 million points', async () => enlarged(await picture(), 20_000), 'file-too-large'],
    ['a file over 10 MB', async () => Buffer.concat([await picture(), Buffer.alloc(10 * 1_048_576)]), 'file-too-large'],
  ])('is refused when it is %s', async (_, make, reason) => {
    const before = await school.ctx.db
      .selectFrom('file')
      .select('fileId')
      .where('schoolId', '=', school.schoolId)
      .execute()
    expect(await upload(teacher, 'x.png', await make())).toMatchObject({ status: 200, code: 300, reason })
    expect(
      await school.ctx.db.selectFrom('file').select('fileId').where('schoolId', '=', school.schoolId).execute(),
    ).toHaveLength(before.length)
  })

  test.each([
    ['..\\..\\x.png', 'x.png'],
    ['x.png\u0000.html', 'x.png.png'],
    [`${'长'.repeat(300)}.png`, `${'长'.repeat(100)}.png`],
    ['.png', '未命名文件.png'],
    ['𠮷'.repeat(80), `${'𠮷'.repeat(60)}.png`],
  ])('gets a harmless name for %j', async (given, name) => {
    const { data, code } = await upload(teacher, given, await picture())
    expect(code).toBe(200)
    expect(data.fileName).toBe(name)
  })
})

describe('an uploaded document', () => {
  test.each<[string, string, () => Promise<Buffer> | Buffer]>([
    ['策划.pdf', 'application/pdf', () => Buffer.from('%PDF-1.7\n%%EOF')],
    [
      '策划.docx',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      () => zip('[Content_Types].xml', 'word/document.xml', 'word/embeddings/oleObject1.bin'),
    ],
    [
      '名单.xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      () => zip('[Content_Types].xml', 'xl/workbook.xml'),
    ],
    [
      '汇报.pptx',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      () => zip('[Content_Types].xml', 'ppt/presentation.xml'),
    ],
  ])('%s is told by its content and given back byte by byte', async (name, mime, make) => {
    const given = await make()
    const { data } = await upload(teacher, name, given, 'document')
    expect(data).toMatchObject({ fileName: name, mime, size: given.length })
    const back = await teacher.client.download(fileApi.view, { id: data.fileId })
    expect(back).toMatchObject({ name, type: mime })
    expect(back.bytes.equals(given)).toBe(true)
  })

  test('gets the ending of its content, whatever it was called', async () => {
    const { data } = await upload(teacher, '证明.html', Buffer.from('%PDF-1.4\n'), 'document')
    expect(data.fileName).toBe('证明.pdf')
  })

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['an archive of anything', () => zip('a.exe'), 'file-type-refused'],
    [
      'a document with macros',
      () => zip('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin'),
      'file-type-refused',
    ],
    ['two kinds in one', () => zip('[Content_Types].xml', 'word/document.xml', 'xl/workbook.xml'), 'file-type-refused'],
    ['a program', () => Buffer.from('MZ\u0090\0\u0003'), 'file-type-refused'],
    ['an image', () => picture(), 'file-type-refused'],
    [
      'half an archive',
      async () => (await zip('[Content_Types].xml', 'word/document.xml')).subarray(0, 60),
      'file-broken',
    ],
  ])('is refused when it is %s', async (_, make, reason) => {
    expect(await upload(teacher, '策划.docx', await make(), 'document')).toMatchObject({ code: 300, reason })
  })

  test('needs a kind and a file', async () => {
    expect(await teacher.client.upload(fileApi.upload, { name: 'a.png', bytes: await picture() })).toMatchObject({
      code: 300,
      reason: 'invalid-input',
      errors: [{ field: 'kind', msg: '请选择文件种类' }],
    })
    expect(await upload(teacher, 'a.png', new Uint8Array())).toMatchObject({ code: 300, reason: 'file-empty' })
  })
})

describe('who sees a file', () => {
  test('its owner; others of the school once a record holds it; never another school or nobody', async () => {
    const id = await uploaded()
    const stranger = { client: (await newSchool()).admin }
    expect([
      await seenBy(teacher, id),
      await seenBy(colleague, id),
      await seenBy(stranger, id),
      await seenBy({ client: school.nobody }, id),
    ]).toEqual([200, 404, 404, 401])
    await inOne(teacher, (ctx) => useFiles(ctx, [id]))
    expect([
      await seenBy(teacher, id),
      await seenBy(colleague, id),
      await seenBy(stranger, id),
      await seenBy({ client: school.nobody }, id),
    ]).toEqual([200, 200, 404, 401])
    await inOne(colleague, (ctx) => releaseFiles(ctx, [id]))
    expect([await seenBy(teacher, id), await seenBy(colleague, id)]).toEqual([404, 404])
  })

  test.each(['../../etc/passwd', '%2e%2e', '0', "' or 1=1 --"])('an id such as %j finds nothing', async (id) => {
    expect(await teacher.client.ask(fileApi.view, { id })).toMatchObject({ code: 300, reason: 'invalid-input' })
  })
})

describe('files that records hold', () => {
  test('another person’s unused file, another school’s and one that is not there cannot be taken, and then none is', async () => {
    const [own, others] = [await uploaded(), await uploaded(colleague)]
    const elsewhere = await newSchool()
    const { data } = await elsewhere.admin.upload(
      fileApi.upload,
      { name: 'a.png', bytes: await picture() },
      { kind: 'image' },
    )
    for (const wrong of [others, data.fileId, '019ac0de-0000-7000-8000-000000000000']) {
      await expect(inOne(teacher, (ctx) => useFiles(ctx, [own, wrong]))).rejects.toMatchObject({ reason: 'file-gone' })
    }
    expect(await seenBy(colleague, own)).toBe(404)
    await expect(useFiles(contextOf(teacher), [own])).rejects.toThrow('transaction')
  })

  test('a file held by two records stays until both let it go', async () => {
    const id = await uploaded()
    await inOne(teacher, (ctx) => useFiles(ctx, [id, id, null, undefined]))
    await inOne(colleague, (ctx) => useFiles(ctx, [id]))
    await inOne(teacher, (ctx) => releaseFiles(ctx, [id]))
    expect(await seenBy(colleague, id)).toBe(200)
    await inOne(teacher, (ctx) => releaseFiles(ctx, [id]))
    expect(await seenBy(teacher, id)).toBe(404)
  })

  test('an edit holds what came, releases what left and leaves the rest alone', async () => {
    const [kept, left, came] = [await uploaded(), await uploaded(), await uploaded()]
    await inOne(teacher, (ctx) => useFiles(ctx, [kept, left]))
    await inOne(teacher, (ctx) => replaceFiles(ctx, [kept, left], [kept, came]))
    const rows = await school.ctx.db
      .selectFrom('file')
      .select(['fileId', 'uses', 'fileState'])
      .where('fileId', 'in', [kept, left, came])
      .execute()
    const state = (id: string) => rows.find(({ fileId }) => fileId === id)
    expect([state(kept), state(left), state(came)]).toMatchObject([
      { uses: 1, fileState: fileState.inUse },
      { uses: 0, fileState: fileState.abandoned },
      { uses: 1, fileState: fileState.inUse },
    ])
  })

  test('the sweep removes what was let go at once and what nobody took after a day, and nothing else', async () => {
    const [used, released, fresh] = [await uploaded(), await uploaded(), await uploaded()]
    await inOne(teacher, (ctx) => useFiles(ctx, [used, released]))
    await inOne(teacher, (ctx) => releaseFiles(ctx, [released]))
    const keyOf = async (id: string) =>
      (await school.ctx.db.selectFrom('file').select('storeKey').where('fileId', '=', id).executeTakeFirst())?.storeKey
    const keys = { used: (await keyOf(used))!, released: (await keyOf(released))!, fresh: (await keyOf(fresh))! }
    const { files } = school.ctx
    await sweepOrphans(school.ctx)
    expect(await keyOf(released)).toBeUndefined()
    await expect(files.get(keys.released)).rejects.toMatchObject({ reason: 'not-found' })
    expect(await seenBy(teacher, fresh)).toBe(200)
    await sweepOrphans({ ...school.ctx, clock: { now: () => '2099-01-01 00:00:00' } })
    expect(await keyOf(fresh)).toBeUndefined()
    await expect(files.get(keys.fresh)).rejects.toMatchObject({ reason: 'not-found' })
    expect(await seenBy(colleague, used)).toBe(200)
  })
})

test('what an upload leaves that breaks off once its content is stored is found by the sweep', async () => {
  const bytes = await picture()
  const folder = mkdtempSync(join(tmpdir(), 'console-upload-'))
  const path = join(folder, 'upload.png')
  writeFileSync(path, bytes)
  const { files } = school.ctx
  let storeKey = ''
  // as where the process is killed: it comes neither to the end nor to clearing up
  const broken: FileStore = {
    ...files,
    async put(content, about) {
      storeKey = await files.put(content, about)
      throw new Error('killed')
    },
    remove: () => Promise.reject(new Error('killed')),
  }
  const ctx = { ...contextOf(teacher), files: broken, upload: { path, name: '海报.png', size: bytes.length } }
  await expect(uploadFile(ctx, { kind: 'image' })).rejects.toThrow('killed')
  const stored = await buffer(await files.get(storeKey))
  expect(stored.length).toBeGreaterThan(50)
  await sweepOrphans({ ...school.ctx, clock: { now: () => '2099-01-01 00:00:00' } })
  await expect(files.get(storeKey)).rejects.toMatchObject({ reason: 'not-found' })

  // one that fails and goes on leaves nothing at all
  const refusing: FileStore = { ...files, put: () => Promise.reject(new Failure('disk-full')) }
  await expect(uploadFile({ ...ctx, files: refusing }, { kind: 'image' })).rejects.toMatchObject({
    reason: 'disk-full',
  })
  const left = await school.ctx.db
    .selectFrom('file')
    .select('fileId')
    .where('schoolId', '=', school.schoolId)
    .where('ownerId', '=', teacher.suId)
    .where('fileState', '=', fileState.uploaded)
    .execute()
  expect(left).toEqual([])
  rmSync(folder, { recursive: true })
})

test('a stored image can be had as a PNG for printing', async () => {
  const { data } = await upload(teacher, '校徽.webp', await picture('webp'))
  expect(await sharp(await pictureForPrint(contextOf(teacher), data.fileId)).metadata()).toMatchObject({
    format: 'png',
    width: 64,
  })
  expect(await pictureForPrint(contextOf(colleague), data.fileId)).toBeUndefined()
  expect(await pictureForPrint(contextOf(teacher), null)).toBeUndefined()
})

test('an upload is in the audit trail', async () => {
  const id = await uploaded()
  expect(
    await school.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'actorId', 'bizName'])
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', id)
      .executeTakeFirst(),
  ).toEqual({ action: '上传文件', actorId: teacher.suId, bizName: '海报.png' })
})

/** A PNG whose head promises a square of `side` points, checksum included. */
function enlarged(png: Buffer, side: number): Buffer {
  const made = Buffer.from(png)
  made.writeUInt32BE(side, 16)
  made.writeUInt32BE(side, 20)
  made.writeUInt32BE(crc32(made.subarray(12, 29)), 29)
  return made
}

test('the sweep takes its turn over a connection that keeps its session, where a pooler keeps none', async () => {
  const { owner } = await testDatabase()
  // whoever held the turn on the one connection there is would wait for it for ever
  const { db, close } = openDatabase(owner, { max: 1, direct: owner })
  expect(await sweepOrphans({ ...school.ctx, db })).toBe(0)
  await close()
})
