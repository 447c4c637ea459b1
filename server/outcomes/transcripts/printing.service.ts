import type { Readable } from 'node:stream'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { auditedFile, assertReason } from '../../core/export/exports.ts'
import { pictureForPrint } from '../../platform/files/files.service.ts'
import { picturesForPrint } from '../../school/school/profile.service.ts'
import { credentialText, type CredentialProof } from './credential.ts'
import { withIssueLock } from './issue-lock.ts'
import { visibleIssues } from './issues.queries.ts'
import { issueTranscripts, notePrints, printed, type PrintedTranscript } from './issues.service.ts'
import { withPhotos } from './photos.service.ts'
import { transcriptPdf, unprintable, type Printing } from './transcript-pdf.ts'
import type { Transcript } from './transcripts.service.ts'

/** Badge and seal of the school, as far as the person may print them. */
export async function schoolPictures(ctx: Context): Promise<Pick<Printing, 'badge' | 'seal'>> {
  const pictures = await picturesForPrint(ctx)
  const [badge, seal] = [
    await pictureForPrint(ctx, pictures.badge),
    await pictureForPrint(ctx, pictures.seal, { isPrivate: true }),
  ]
  return { ...(badge && { badge }), ...(seal && { seal }) }
}

/**
 * Issues and prints transcripts as one document. All or nothing: a list of which a part is out of sight, or cannot be
 * set, is refused and leaves no trace. Many leave with a reason only.
 */
export async function exportTranscripts(
  ctx: Context,
  { suIds, reason, ...part }: Checked<typeof transcriptApi.export>,
): Promise<FileAnswer> {
  assertReason(suIds.length, reason)
  const pictures = await schoolPictures(ctx)
  const issued = await issueTranscripts(ctx, suIds, part, {
    way: suIds.length === 1 ? '1' : '2',
    choose: (found) => allPrintable(found, suIds.length, part.recIds?.length, ctx.actor.suNickname),
    onIssued: (tx, made) =>
      auditMany(
        tx,
        made.map(({ transcript: { student, serial } }) => ({
          action: transcriptApi.export.summary,
          bizType: 'transcript',
          bizId: student.suId,
          bizName: student.suiName,
          reason: reason ?? '',
          after: { serial },
        })),
      ),
  })
  const { name, type, body } = await pdfOf(await withPhotos(ctx, issued), printingNow(ctx, pictures))
  const filter = { ...part, ...(part.recIds && { recIds: part.recIds.length }) }
  // whose transcripts they are stands in the trail of these students, where their areas are looked at
  return {
    name,
    type,
    body: auditedFile(ctx, body, {
      title: `第二课堂成绩单（${issued.length} 人）`,
      what: '成绩单文件',
      reason,
      about: () => ({ rows: issued.length, filter }),
    }),
  }
}

/** Transcripts of which none is missing, nor a record of those chosen, and all of which can be set. */
export function allPrintable(
  found: Transcript[],
  students: number,
  records: number | undefined,
  byName: string,
): Transcript[] {
  if (found.length !== students || (records !== undefined && found[0]!.rows.length !== records))
    throw new Failure('not-found')
  for (const transcript of found) {
    const fault = unprintable(transcript, { byName })
    if (fault) throw new Failure('unprintable-text', fault)
  }
  return found
}

/** Prints an issue again, as it was issued. One that was revoked is not printed any more. */
export async function reprint(ctx: Context, { tiId }: Checked<typeof issueApi.reprint>): Promise<FileAnswer> {
  const pictures = await schoolPictures(ctx)
  const issue = await withIssueLock(ctx, async (tx) => {
    const found = await issueOf(tx, tiId)
    if (found.tiStatus === issueStatus.revoked) throw new Failure('transcript-revoked')
    await notePrints(tx, [tiId], '1')
    await audit(tx, {
      action: '补打成绩单',
      bizType: 'transcript',
      bizId: found.suId,
      bizName: found.suiName,
      after: { serial: found.serial },
    })
    return found
  })
  return pdfOf(
    await withPhotos(ctx, [printed(ctx, { ...issue, proof: issue.proof as CredentialProof })]),
    printingNow(ctx, pictures),
  )
}

/** The credential file of an issue. */
export async function credentialFile(ctx: Context, { tiId }: Checked<typeof issueApi.credential>): Promise<FileAnswer> {
  const { content, proof, serial, suId, suiName } = await issueOf(ctx, tiId)
  await audit(ctx, { action: '下载成绩凭证', bizType: 'transcript', bizId: suId, bizName: suiName, after: { serial } })
  return {
    name: `${serial}.json`,
    type: 'application/ld+json',
    body: Buffer.from(credentialText(content, proof as CredentialProof)),
  }
}

/** An issue that can still be printed or downloaded. @throws Failure `not-found`, `transcript-erased` */
export async function issueOf(ctx: Context, tiId: string) {
  const issue = await visibleIssues(ctx)
    .select(['i.tiId', 'i.serial', 'i.suId', 'i.content', 'i.proof', 'i.digest', 'i.tiStatus', 'person.suiName'])
    .where('i.tiId', '=', tiId)
    .executeTakeFirst()
  if (!issue) throw new Failure('not-found')
  if (issue.content === '') throw new Failure('transcript-erased')
  return { ...issue, digest: issue.digest.toString('hex') }
}

const printingNow = (ctx: Context, pictures: Pick<Printing, 'badge' | 'seal'>): Printing => ({
  byName: ctx.actor.suNickname,
  at: ctx.clock.now(),
  ...pictures,
})

async function pdfOf(issued: PrintedTranscript[], printing: Printing): Promise<FileAnswer & { body: Readable }> {
  const [first] = issued
  const { student } = first!.transcript
  const credential =
    issued.length === 1
      ? { name: `${first!.transcript.serial}.json`, text: credentialText(first!.content, first!.proof) }
      : undefined
  const body = await transcriptPdf(
    issued.map(({ transcript }) => transcript),
    printing,
    credential,
  )
  return {
    name:
      issued.length === 1
        ? `第二课堂成绩单-${student.suiNumber}-${student.suiName}.pdf`
        : `第二课堂成绩单-${issued.length}人.pdf`,
    type: 'application/pdf',
    body,
  }
}
