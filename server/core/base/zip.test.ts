import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { create } from 'qrcode'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { codePackage, qrPng } from '../../programme/lessons/signing/code-package.ts'
import { zipStream, type ZipEntry } from './zip.ts'

const at = new Date('2026-11-20T01:00:00Z')

/** The entries of an archive as another program reads them, by name. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(bytes)
  const found = new Map<string, Buffer>()
  for await (const entry of archive.eachEntry())
    found.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)))
  return found
}

test('an archive holds its entries under harmless and distinct names', async () => {
  const entries: ZipEntry[] = [
    { name: '成绩单/𠮷田 喆.pdf', content: '一' },
    { name: '成绩单/𠮷田 喆.pdf', content: '二' },
    { name: '../../etc/passwd', content: '三' },
    { name: '/a:b*c?.txt', content: () => Readable.from(['四', '四']) },
    { name: '..', content: '五' },
  ]
  const found = await unzip(await buffer(zipStream(entries, at)))
  expect(Object.fromEntries([...found].map(([name, bytes]) => [name, bytes.toString()]))).toEqual({
    '成绩单/𠮷田 喆.pdf': '一',
    '成绩单/𠮷田 喆(2).pdf': '二',
    'etc/passwd': '三',
    'a_b_c_.txt': '四四',
    未命名: '五',
  })
})

test('a fault of an entry ends the archive with that fault', async () => {
  const late = () => {
    const stream = new PassThrough()
    stream.write('half')
    setImmediate(() => stream.destroy(new Error('gone')))
    return stream
  }
  await expect(text(zipStream([{ name: 'a', content: late }], at))).rejects.toThrow('gone')
  await expect(
    text(zipStream([{ name: 'a', content: () => Promise.reject(new Error('missing')) }], at)),
  ).rejects.toThrow('missing')
})

test('a reader who leaves closes the source that is open', async () => {
  const source = new PassThrough()
  source.write(Buffer.alloc(200_000, 'x'))
  const archive = zipStream([{ name: 'a', content: () => source }], at)
  archive.once('data', () => archive.destroy())
  await new Promise((closed) => source.once('close', closed))
  expect(source.destroyed).toBe(true)
})

/** Reads a QR picture back into its modules, so that it can be compared with what the text calls for. */
async function modulesOf(png: Buffer, quiet: number, size: number): Promise<string> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true })
  const side = info.width / (size + 2 * quiet)
  const at = (n: number) => Math.floor((n + quiet + 0.5) * side)
  return Array.from({ length: size * size }, (_, n) =>
    data[at(Math.floor(n / size)) * info.width + at(n % size)]! < 128 ? '1' : '0',
  ).join('')
}
const modulesFor = (text: string) => {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  return { size: modules.size, bits: Array.from(modules.data, (bit) => (bit ? '1' : '0')).join('') }
}

test('a QR picture says its text and is large enough for a poster', async () => {
  const { size, bits } = modulesFor('签到 https://console.example.edu.cn/s?c=1')
  const png = await qrPng('签到 https://console.example.edu.cn/s?c=1')
  expect(await modulesOf(png, 4, size)).toBe(bits)
  expect((await sharp(png).metadata()).width).toBeGreaterThan(700)
})

test('a code package has a picture for every session and direction and a readme that lists them', async () => {
  const session = (no: number, signOutText?: string) => ({
    no,
    startTime: `2026-11-2${no} 14:00:00`,
    endTime: `2026-11-2${no} 16:00:00`,
    placeText: '大礼堂',
    signInText: `in-${no}`,
    signOutText,
  })
  const found = await unzip(
    await buffer(
      codePackage(
        { liName: '急救知识进社区', liNo: 'EK202611-0001' },
        [session(1, 'out-1'), session(2)],
        '2026-11-20 09:00:00',
      ),
    ),
  )
  expect([...found.keys()]).toEqual([
    '第1场-2026-11-21-签到.png',
    '第1场-2026-11-21-签退.png',
    '第2场-2026-11-22-签到.png',
    'readme.txt',
  ])
  const readme = found.get('readme.txt')!.toString()
  for (const name of [...found.keys()].slice(0, 3)) expect(readme).toContain(name)
  expect(readme).toContain('急救知识进社区（EK202611-0001）')
  const { size, bits } = modulesFor('out-1')
  expect(await modulesOf(found.get('第1场-2026-11-21-签退.png')!, 4, size)).toBe(bits)
})
