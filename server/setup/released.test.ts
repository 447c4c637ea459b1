import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { changelogText, datedVersions } from '../../scripts/kept-releases.mjs'
import { transcriptApi } from '../../contract/outcomes/transcripts/transcripts.calls.ts'
import { parseConfig } from '../core/base/config.ts'
import { schemaText } from '../core/postgres/schema-text.ts'
import { demoPassword } from '../demo/account-list.ts'
import { rowsOf } from '../testing/backup.ts'
import { signIn } from '../testing/client.ts'
import { ownDatabase } from '../testing/database.ts'
import { atFileEnd } from '../testing/file-end.ts'
import { noRateLimits } from '../testing/no-rate-limits.ts'
import { addressOf, programs, stopped } from '../testing/program.ts'
import { dumpOf, releasedVersions, releaseOf, sumOf } from '../testing/released.ts'
import { migrations } from '../migrations/index.ts'
import { backupContents } from './backup/contents.ts'
import { lookAtSchool } from './backup/drill.ts'
import { openServices } from './open-services.ts'

vi.setConfig({ testTimeout: 180_000 })

const { launch } = programs({ DEMO_STUDENTS: '0' })
const folder = mkdtempSync(join(tmpdir(), 'console-released-'))
atFileEnd(async () => rmSync(folder, { recursive: true, force: true }))

/**
 * PostgreSQL tells the comparison of two rows as alternatives within alternatives; read back from a dump they stand
 * beside each other, which is the same.
 */
const comparable = (schema: string): string =>
  schema.replace(/^ {2}for each row when .*$/gm, (line) => line.replace(/[()]/g, ''))

/** SHA-256 of what is kept of each released version: `cat about.json dump.sql.gz | sha256sum` in its folder. */
const sums: Record<string, string> = {
  '0.1.0': 'a3eaab03363a2656ea6612541de96d604fe9688a892b9f53b3e7ad18a77a39eb',
  '0.2.0': '6cc4a7c4d045ed0459e339ff61b4d788b8bf5912de0f82b000be98e1c86da3a1',
  '0.3.0': '8a67ca7dca7fdc96003d1105ee79b0ad4da92b9ede1fadd9342410d3f8c25418',
}

test('what is kept of each released version is there, and as it was when it was released', () => {
  const released = datedVersions(changelogText())
  expect(released).toEqual(expect.arrayContaining(['0.1.0', '0.2.0', '0.3.0']))
  expect(Object.fromEntries(released.map((one) => [one, sumOf(one)]))).toEqual(sums)
})

test('the version of the program is raised once there are migrations that the last release had not', () => {
  const [newest] = datedVersions(changelogText())
  const isAsReleased = releaseOf(newest!).migrations.length === Object.keys(migrations).length
  expect(about.version === newest, 'package.json still has the version of the last release').toBe(isAsReleased)
})

test('what is kept of a version is full enough to find out, and its migrations are still there', () => {
  for (const version of releasedVersions()) {
    const { migrations: ran, tables } = releaseOf(version)
    expect(Object.keys(migrations)).toEqual(expect.arrayContaining(ran))
    const rows = new Map(tables.map((table) => [table.name, table.rows]))
    for (const name of ['person', 'lesson', 'registration', 'creditLedger', 'auditLog', 'approval', 'transcriptIssue'])
      expect(rows.get(name), name).toBeGreaterThanOrEqual(20)
  }
})

test.each(releasedVersions())('a database of %s becomes what a new one is, and its school goes on', async (version) => {
  const release = releaseOf(version)
  const { owner, close } = await ownDatabase('empty')
  await rowsOf(owner, dumpOf(version))
  for (const { name, rows } of release.tables)
    expect(await rowsOf(owner, `select count(*)::int "rows" from public."${name}"`), name).toEqual([{ rows }])

  const settings = {
    DATABASE_URL: `postgres://${owner.user}@/${owner.database}?host=${encodeURIComponent(owner.host!)}&port=${owner.port}`,
    ...noRateLimits,
    DATA_DIR: join(folder, version),
    SECRET_PEPPER: release.secrets.pepper,
    SECRET_FIELD_KEY: release.secrets.fieldKey,
  }
  const program = launch(settings)
  const address = await addressOf(program)
  expect(await rowsOf(owner, 'select name from kysely_migration order by name')).toEqual(
    Object.keys(migrations).map((name) => ({ name })),
  )
  const wanted = readFileSync(new URL('../../docs/schema.sql', import.meta.url), 'utf8')
  expect(comparable(await schemaText(owner))).toBe(comparable(wanted))

  // what people had is there: passwords, sealed fields, credit
  const admin = await signIn(address, 'demo', 'admin', demoPassword)
  const students = await admin.send(transcriptApi.list, { current: 1, pageSize: 100 })
  const [best] = students.records.filter((student) => student.rowCount > 0)
  const rows = await admin.send(transcriptApi.rows, { suId: best!.suId, current: 1, pageSize: 100 })
  expect(rows.records.length).toBe(best!.rowCount)
  expect(await rowsOf(owner, backupContents.schools)).toEqual(release.schools)
  await stopped(program)

  const opened = await openServices(parseConfig(settings), () => {})
  for (const { schoolId } of release.schools) {
    const { sealedRows, transcripts, ...faults } = await lookAtSchool(opened, schoolId)
    expect(faults, schoolId).toEqual({ sealFaults: 0, brokenTranscripts: 0, statisticDifferences: 0 })
    if (schoolId === 'demo') expect(Math.min(sealedRows, transcripts)).toBeGreaterThanOrEqual(20)
  }
  await opened.close()
  await close()
})
