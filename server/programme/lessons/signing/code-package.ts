import type { Readable } from 'node:stream'
import { epochOf } from '../../../core/base/clock.ts'
import { zipStream, type ZipEntry } from '../../../core/base/zip.ts'

/** A QR code as PNG, about `width` points wide, quiet zone included: large enough to be printed on a poster. */
export async function qrPng(text: string, width = 800): Promise<Buffer> {
  const { toBuffer } = await import('qrcode')
  return toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 4, width })
}

/** The same as a data address that a page can show at once. */
export async function qrPicture(text: string, width = 720): Promise<string> {
  const { toDataURL } = await import('qrcode')
  return toDataURL(text, { type: 'image/png', errorCorrectionLevel: 'L', margin: 2, width })
}

/** One session of a course and what its codes say. */
export interface CodeSession {
  no: number
  startTime: string
  endTime: string
  placeText: string
  signInText: string
  /** Left out where leaving is not recorded. */
  signOutText?: string
}

/**
 * The code package of a course: for every session a sign-in and a sign-out picture, and a readme that says which is for
 * when.
 * @param now wall-clock text; stands in the readme and on the entries
 */
export function codePackage(lesson: { liName: string; liNo: string }, sessions: CodeSession[], now: string): Readable {
  return zipStream(entries(lesson, sessions, now), new Date(epochOf(now)))
}

async function* entries(
  lesson: { liName: string; liNo: string },
  sessions: CodeSession[],
  now: string,
): AsyncGenerator<ZipEntry> {
  const lines = [`${lesson.liName}（${lesson.liNo}）签到二维码`, `下载时间：${now}`, '']
  for (const { no, startTime, endTime, placeText, signInText, signOutText } of sessions) {
    const day = startTime.slice(0, 10)
    lines.push(`第 ${no} 场  ${startTime.slice(0, 16)} 至 ${endTime.slice(0, 16)}  ${placeText}`)
    for (const [what, text] of [
      ['签到', signInText],
      ['签退', signOutText],
    ] as const) {
      if (text === undefined) continue
      const name = `第${no}场-${day}-${what}.png`
      lines.push(`  ${what}：${name}`)
      yield { name, content: await qrPng(text) }
    }
  }
  lines.push('', '二维码仅在对应场次的签到时间内有效，场次结束后自动失效，请勿提前公开。')
  // the byte order mark and the line ends are for the editor that comes with Windows
  yield { name: 'readme.txt', content: `\ufeff${lines.join('\r\n')}\r\n` }
}
