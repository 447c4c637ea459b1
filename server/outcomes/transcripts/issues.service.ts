import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import type { TranscriptData } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { canonicalJson } from '../../core/credentials/canonical-json.ts'
import { recordset } from '../../core/database/bulk.ts'
import { dayOf } from '../../core/base/clock.ts'
import { sha256 } from '../../core/base/hashes.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { statusListAddress, verifyAddress } from './addresses.ts'
import {
  documentOf,
  proofFor,
  substanceOf,
  transcriptIn,
  type CredentialProof,
  type IssuedTranscript,
} from './credential.ts'
import { withIssueLock } from './issue-lock.ts'
import { signingKey } from './signing-keys.service.ts'
import { partKey, transcriptsOf, type Transcript, type TranscriptPart } from './transcripts.service.ts'

/** How issues are asked for. */
interface Issuing {
  /** One student, several at once, or a batch; null where nothing is printed with it. */
  way: '1' | '2' | '3' | null
  /** The batch they belong to. */
  tbId?: string
  /** What of the transcripts that were read is issued; all unless given. What it throws lets nothing be issued. */
  choose?: (found: Transcript[]) => Transcript[]
  /** Told of the issues in the transaction that makes them. */
  onIssued?: (tx: Context, issued: PrintedTranscript[]) => Promise<void>
}

/** An issue as it goes to paper, and what its credential file says. */
export interface PrintedTranscript {
  tiId: string
  content: string
  proof: CredentialProof
  transcript: TranscriptData
}

/**
 * Characters of the check part of a serial: none that is easily taken for another. 8 of them are 2^39 possibilities.
 */
const checkSigns = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const check = (): string => Array.from({ length: 8 }, () => checkSigns[randomInt(checkSigns.length)]).join('')

/** `10999-2023010101-20261120-7K2M9QXA`: who can name one has seen the paper. */
const serialOf = ({ schCode, student }: Transcript, schoolId: string, at: string): string =>
  `${schCode || schoolId}-${student.suiNumber}-${dayOf(at).replaceAll('-', '')}-${check()}`

/** What is signed: the rows without what the transcript does not print of them. */
export const contentOf = ({ digest: _, verifyUrl: __, ...transcript }: Transcript): IssuedTranscript => ({
  ...transcript,
  rows: transcript.rows.map(({ explain: _explain, termName: _term, honesty: _honesty, ...row }) => row),
})

interface Issue {
  tiId: string
  serial: string
  suId: string
  content: string
  proof: CredentialProof
  digest: string
}

/**
 * Issues the transcripts of students, or a part of them: each gets a serial and a signature, and takes the place of the
 * valid one of the same part; one whose content has not changed is printed again under the serial it has. Every print
 * is noted. What is signed is read when the turn has come, all of it as it was at that moment, so that nothing older
 * ever takes the place of something newer. In the order of the students' numbers; a constant number of statements.
 * @throws Failure `not-found` when none of the students is visible
 */
export const issueTranscripts = (
  ctx: Context,
  suIds: string[],
  part: TranscriptPart,
  { way, tbId, choose = (found) => found, onIssued }: Issuing,
): Promise<PrintedTranscript[]> =>
  withIssueLock(ctx, async (tx) => {
    const transcripts = choose(await transcriptsOf(tx, suIds, part))
    const issues = await signed(tx, transcripts, part)
    if (way)
      await notePrints(
        tx,
        issues.map(({ tiId }) => tiId),
        way,
        tbId,
      )
    const made = issues.map((issue) => printed(tx, issue))
    await onIssued?.(tx, made)
    return made
  })

/**
 * The issues of transcripts, which were read in this very turn: those that stand, and new ones for what has changed.
 */
async function signed(tx: Context, transcripts: Transcript[], part: TranscriptPart): Promise<Issue[]> {
  const { db, actor, clock } = tx
  const { schoolId } = actor
  const [first] = transcripts
  if (!first) return []
  const key = await signingKey(tx)
  const [now, tiScope] = [clock.now(), partKey(part)]
  const { rows: valid } = await sql<Issue & { substance: Buffer }>`
      select "tiId", "serial", "suId", "content", "proof", encode("digest", 'hex') "digest", "substance"
      from "transcriptIssue"
      where "schoolId" = ${schoolId}
        and "suId" = any(${transcripts.map(({ student }) => student.suId)}::uuid[])
        and "tiScope" = ${tiScope}
        and "tiLang" = ${first.lang}
        and "tiStatus" = ${sql.lit(issueStatus.valid)}`.execute(db)
  const known = new Map(valid.map((issue) => [issue.suId, issue]))
  const [added, replaced]: [(Issue & { substance: string; tiExtract: string })[], string[]] = [[], []]
  const issues = transcripts.map((transcript): Issue => {
    const content = contentOf(transcript)
    const substance = substanceOf(content)
    const before = known.get(content.student.suId)
    if (before?.substance.equals(substance)) return before
    const serial = serialOf(transcript, schoolId, now)
    const text = canonicalJson(
      documentOf({ ...content, serial }, schoolId, now, statusListAddress(tx.config, schoolId, now)),
    )
    const issue = {
      tiId: newId(),
      serial,
      suId: content.student.suId,
      content: text,
      proof: proofFor(text, key, now),
      digest: sha256(text).toString('hex'),
    }
    if (before) replaced.push(before.tiId)
    added.push({ ...issue, substance: substance.toString('hex'), tiExtract: content.extract ?? '' })
    return issue
  })
  if (replaced.length > 0)
    await sql`
      update "transcriptIssue"
      set "tiStatus" = ${sql.lit(issueStatus.replaced)}, "endTime" = ${now}
      where "schoolId" = ${schoolId}
        and "tiId" = any(${replaced}::uuid[])
        and "tiStatus" = ${sql.lit(issueStatus.valid)}`.execute(db)
  if (added.length > 0) {
    await sql`
        insert into "transcriptIssue" (
          "schoolId", "tiId", "serial", "suId", "tiScope", "tiExtract", "tiLang", "content", "proof", "digest",
          "substance", "skId", "issueBy", "issueName", "issueTime"
        )
        select ${schoolId}, r."tiId", r."serial", r."suId", ${tiScope}, r."tiExtract", ${first.lang}, r."content",
          r."proof", decode(r."digest", 'hex'), decode(r."substance", 'hex'), ${key.skId}::uuid, ${actor.suId}::uuid,
          ${actor.suNickname}, ${now}::timestamptz
        from
        ${recordset(added, { tiId: 'uuid', serial: 'text', suId: 'uuid', tiExtract: 'text', content: 'text', proof: 'jsonb', digest: 'text', substance: 'text' })}`.execute(
      db,
    )
  }
  return issues
}

/** Notes that issues were printed now. */
export async function notePrints(
  { db, actor, clock }: Context,
  tiIds: readonly string[],
  way: NonNullable<Issuing['way']>,
  tbId: string | null = null,
): Promise<void> {
  const now = clock.now()
  await sql`
    with prints as (
      insert into "transcriptPrint" (
        "schoolId", "tpId", "tiId", "printWay", "tbId", "printBy", "printName", "printTime"
      )
      select ${actor.schoolId}, r."tpId", r."tiId", ${way}, ${tbId ?? null}::uuid, ${actor.suId}::uuid,
        ${actor.suNickname}, ${now}::timestamptz
      from unnest(${tiIds.map(() => newId())}::uuid[], ${[...tiIds]}::uuid[]) as r("tpId", "tiId")
    )
    update "transcriptIssue"
    set "printCount" = "printCount" + 1, "lastPrintTime" = ${now}
    where "schoolId" = ${actor.schoolId} and "tiId" = any(${[...tiIds]}::uuid[])`.execute(db)
}

/** An issue as it is printed: what was signed, whatever has happened since. */
export const printed = (
  { config }: Pick<Context, 'config'>,
  { tiId, serial, content, proof, digest }: Omit<Issue, 'suId'>,
): PrintedTranscript => ({
  tiId,
  content,
  proof,
  transcript: { ...transcriptIn(content), digest, verifyUrl: verifyAddress(config, serial) },
})
