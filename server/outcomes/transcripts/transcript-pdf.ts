import type { Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { Failure } from '../../../contract/core/failure.ts'
import { printWords } from '../../../contract/outcomes/transcripts/words.ts'
import { unmapped, warmFonts } from '../../core/pdf/fonts.ts'
import { frame, ink, newPage, openDocument, sealPages, write, type Page } from '../../core/pdf/page.ts'
import { drawHeader, drawModules, drawRunningHeader, drawStudent, drawSummary } from './transcript-header.ts'
import type { PrintableTranscript } from './photos.service.ts'
import { drawClosing, drawRows } from './transcript-rows.ts'

/** Who prints, when, and the pictures of the school (PNG or JPEG). */
export interface Printing {
  /** Name of the person who prints; stands in the footer of every page. */
  byName: string
  /** `yyyy-MM-dd HH:mm:ss`. */
  at: string
  badge?: Uint8Array
  /** The seal is printed only for those the school lets print it; without it the place stays empty for a stamp. */
  seal?: Uint8Array
}

/**
 * One PDF of any number of transcripts, a bookmark each, pages numbered per student. Text is real text in embedded
 * fonts. The event loop gets a turn after every student, and drawing stops when the reader goes away.
 * @param credential the credential file of a single transcript, which is put into the document as an attachment
 * @throws Failure `unprintable-text` before the first byte, naming the student and the characters no font holds
 */
export async function transcriptPdf(
  transcripts: PrintableTranscript[],
  printing: Printing,
  credential?: { name: string; text: string },
): Promise<Readable> {
  await warmFonts()
  for (const transcript of transcripts) {
    const fault = unprintable(transcript, printing)
    if (fault) throw new Failure('unprintable-text', fault)
    await breathe()
  }
  const [first] = transcripts
  const title =
    transcripts.length === 1 && first
      ? `第二课堂成绩单 ${first.student.suiNumber} ${first.student.suiName}`
      : `第二课堂成绩单（${transcripts.length} 人）`
  const page = openDocument({ title, author: first?.schName ?? '', createdAt: printing.at })
  if (credential)
    page.doc.file(Buffer.from(credential.text), {
      name: credential.name,
      type: 'application/json',
      description: '成绩凭证',
      creationDate: new Date(0),
      modifiedDate: new Date(0),
    })
  void drawAll(page, transcripts, printing)
  return page.doc
}

async function drawAll(page: Page, transcripts: PrintableTranscript[], printing: Printing): Promise<void> {
  try {
    for (const transcript of transcripts) {
      await breathe()
      if (page.doc.destroyed) return
      drawTranscript(page, transcript, printing)
    }
    await breathe()
    page.doc.end()
  } catch (error) {
    page.doc.destroy(error as Error)
  }
}

/** How far apart the parts of a transcript stand. */
export interface Spacing {
  /** Closer than usual: only for what stays on one page that way. */
  isTight: boolean
}

/** Records that may fit on one page: with more a transcript is not worth trying. */
const mayFit = 20

/**
 * Whether a transcript that runs over its first page stays on it when its parts are closer: a second page with nothing
 * but notes and seals helps nobody. It is tried on pages that are thrown away.
 */
function fitsTightly(transcript: PrintableTranscript, printing: Printing): boolean {
  if (transcript.rows.length > mayFit) return false
  const pagesOf = (isTight: boolean) => {
    const page = openDocument({ title: '', author: '', createdAt: printing.at })
    drawParts(page, transcript, printing, { isTight })
    return page.doc.bufferedPageRange().count
  }
  return pagesOf(false) > 1 && pagesOf(true) === 1
}

/** @param begun called on its first page, before anything is drawn */
function drawParts(
  page: Page,
  transcript: PrintableTranscript,
  printing: Printing,
  spacing: Spacing,
  begun: () => void = () => {},
): void {
  const gap = (points: number) => (spacing.isTight ? points / 2 : points)
  page.onPage = () => frame.top
  newPage(page)
  begun()
  page.onPage = () => drawRunningHeader(page, transcript)
  let y = drawHeader(page, transcript, printing.badge)
  y = drawStudent(page, transcript, y + gap(12))
  y = drawSummary(page, transcript, y + gap(10))
  y = drawModules(page, transcript, y + gap(14), spacing)
  y = drawRows(page, transcript, y + gap(14), spacing)
  drawClosing(page, transcript, printing, y + gap(12), spacing)
}

/** Draws one transcript on pages of its own, which are finished when it returns. */
export function drawTranscript(page: Page, transcript: PrintableTranscript, printing: Printing): void {
  const { student, serial, lang } = transcript
  const words = printWords(lang)
  const isTight = fitsTightly(transcript, printing)
  drawParts(page, transcript, printing, { isTight }, () =>
    page.doc.outline.addItem(`${student.suiNumber} ${student.suiName}`),
  )
  sealPages(page, (pageNo, pages) => {
    const baseline = frame.bottom + 26
    page.doc
      .moveTo(frame.left, baseline - 12)
      .lineTo(frame.right, baseline - 12)
      .lineWidth(0.5)
      .stroke(ink.line)
    const style = { size: 7.5, color: ink.soft, width: frame.width } as const
    write(page, `${words.serial} ${serial}`, frame.left, baseline, style)
    write(page, words.page(pageNo, pages), frame.left, baseline, { ...style, align: 'center' })
    write(page, words.printedBy(printing.byName, printing.at), frame.left, baseline, { ...style, align: 'right' })
  })
}

/** Whose transcript cannot be printed, and for which characters; undefined for one that can. */
export function unprintable(
  { photo: _, ...transcript }: PrintableTranscript,
  printing: Pick<Printing, 'byName'>,
): { name: string; signs: string } | undefined {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect)
  }
  collect([transcript, printing.byName])
  const missing = unmapped(texts.join(''))
  const { suiName, suiNumber } = transcript.student
  return missing.length === 0
    ? undefined
    : { name: unmapped(suiName).length > 0 ? suiNumber : suiName, signs: missing.slice(0, 10).join('') }
}
