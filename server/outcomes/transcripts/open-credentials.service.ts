import { toHundredths } from '../../../contract/core/fields.ts'
import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import type { TranscriptRow } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { isoText } from '../../core/base/clock.ts'
import { audit } from '../../core/audit/audit.ts'
import { signedDocument } from '../../core/credentials/data-integrity.ts'
import { withRdfThread } from '../../core/credentials/rdf-thread.ts'
import type { Context } from '../../core/request/context.ts'
import { schoolAppearanceOf } from '../../school/school/school.service.ts'
import { bakedPng, bakedSvg } from './badge-picture.ts'
import { bitListAddress, issuerAddress, verifyAddress } from './addresses.ts'
import { transcriptIn } from './credential.ts'
import { listLength, placesOf, type PlaceWanted } from './credential-status.service.ts'
import { withIssueLock } from './issue-lock.ts'
import { contentOf } from './issues.service.ts'
import { badgeOf, keyAddress, learnerRecordOf, type Issuer } from './open-credential.ts'
import { issueOf } from './printing.service.ts'
import { signingKey } from './signing-keys.service.ts'
import { transcriptsOf } from './transcripts.service.ts'

/** Rows that a badge can be made of: what the student did, and all of it counts. */
const isBadge = ({ source, status }: TranscriptRow): boolean =>
  (source === 'LESSON' || source === 'SUP') && status === recordStatus.valid

/** Longest a learner record of a whole course of studies takes. */
const timeoutMs = 60_000

/** An issued transcript as a Comprehensive Learner Record 2.0, with a signed badge for each of its records. */
export async function learnerRecordFile(
  ctx: Context,
  { tiId }: Checked<typeof issueApi.learnerRecord>,
): Promise<FileAnswer> {
  const { transcript, rows, signer, places } = await withIssueLock(ctx, async (tx) => {
    const { content, serial, suId, suiName } = await issueOf(tx, tiId)
    const issued = transcriptIn(content)
    const badgeRows = issued.rows.filter(isBadge)
    if (badgeRows.length === 0) throw new Failure('no-badge-record')
    const found = {
      transcript: issued,
      rows: badgeRows,
      signer: await signerOf(tx),
      places: await placesOf(tx, [{ suId, tiId }, ...badgeRows.map((row) => wantedOf(row, suId))]),
    }
    await audit(tx, {
      action: '下载学习档案',
      bizType: 'transcript',
      bizId: suId,
      bizName: suiName,
      after: { serial },
    })
    return found
  })
  const verifyUrl = verifyAddress(ctx.config, transcript.serial)!
  const record = await withRdfThread(timeoutMs, async (canonical) => {
    const badges: object[] = []
    for (const [n, row] of rows.entries())
      badges.push(await signer.sign(badgeOf(row, transcript.student, signer.at(places[n + 1]!)), canonical))
    return signer.sign(learnerRecordOf(transcript, badges, { ...signer.at(places[0]!), verifyUrl }), canonical)
  })
  return fileOf(`${transcript.serial}.clr.json`, record)
}

/** One record of a student's ledger, as it stands now, as an Open Badge 3.0: bare, or baked into a picture. */
export async function badgeFile(
  ctx: Context,
  { suId, recId, format }: Checked<typeof issueApi.badge>,
): Promise<FileAnswer> {
  const { row, student, school, badge } = await withIssueLock(ctx, async (tx) => {
    const { rows, student: holder } = contentOf((await transcriptsOf(tx, [suId], { recIds: [recId] }))[0]!)
    const [found] = rows
    if (!found) throw new Failure('not-found')
    if (!isBadge(found)) throw new Failure('no-badge-record')
    const signer = await signerOf(tx)
    const [place] = await placesOf(tx, [wantedOf(found, suId)])
    const { name } = found
    await audit(tx, {
      action: '下载徽章',
      bizType: 'transcript',
      bizId: suId,
      bizName: holder.suiName,
      after: { name },
    })
    const at = signer.at(place!)
    return {
      row: found,
      student: holder,
      school: at.issuer.name,
      badge: await signer.sign(badgeOf(found, holder, at)),
    }
  })
  const name = `${student.suiNumber}-${row.name}.badge`
  if (format === 'json') return fileOf(`${name}.json`, badge)
  const words = { school, name: row.name, holder: student.suiName, on: row.grantTime.slice(0, 10) }
  return format === 'svg'
    ? { name: `${name}.svg`, type: 'image/svg+xml', body: Buffer.from(bakedSvg(words, badge)) }
    : { name: `${name}.png`, type: 'image/png', body: await bakedPng(words, badge) }
}

const wantedOf = (
  { recId, liId, lisId, moduleId, hours, credit, points }: TranscriptRow,
  suId: string,
): PlaceWanted => ({
  suId,
  recId,
  bizId: (liId ?? lisId)!,
  moduleId,
  substance: [hours, credit, points].map((one) => toHundredths(one) ?? 0).join('/'),
})

/** What signs for the school now. @throws Failure `no-public-address` */
async function signerOf(tx: Context) {
  const { schoolId } = tx.actor
  const { schName } = await schoolAppearanceOf(tx, schoolId)
  const issuer = issuerFor(tx, schoolId, schName)
  const key = await signingKey(tx)
  const now = tx.clock.now()
  return {
    /** What a credential says of its issuer, its place in the lists and its time. */
    at: (csNo: number) => ({
      issuer,
      at: now,
      status: { list: bitListAddress(tx.config, schoolId, Math.floor(csNo / listLength))!, index: csNo % listLength },
    }),
    sign: (document: object, canonical?: (document: object) => Promise<string>) =>
      signedDocument(
        document,
        key,
        { created: isoText(now), verificationMethod: keyAddress(issuer.id, key.skId) },
        canonical,
      ),
  }
}

/** The school as others know it. @throws Failure `no-public-address` where the service has no address of its own */
export function issuerFor({ config }: Pick<Context, 'config'>, schoolId: string, name: string): Issuer {
  const id = issuerAddress(config, schoolId)
  if (!id) throw new Failure('no-public-address')
  return { id, name, url: new URL('/', id).href }
}

const fileOf = (name: string, document: object): FileAnswer => ({
  name,
  type: 'application/vc',
  body: Buffer.from(JSON.stringify(document)),
})
