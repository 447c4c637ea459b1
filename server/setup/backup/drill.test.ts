import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { openIdentity } from '../../core/backup/keys.ts'
import { findBackup } from '../../core/backup/manifest.ts'
import { bundledFile } from '../../core/base/bundled-file.ts'
import { startEmbedded } from '../../core/postgres/embedded.ts'
import { backupCommands, rowsOf } from '../../testing/backup.ts'
import { signIn } from '../../testing/client.ts'
import { addressOf, programs, stopped } from '../../testing/program.ts'
import { receiver } from '../../testing/receiver.ts'
import { drill } from './drill.ts'

vi.setConfig({ testTimeout: 180_000 })

const admin = { SCHOOL_ID: 's1', SCHOOL_NAME: '测试学校', ADMIN_PASSWORD: 'Start-Test-92' }
const outbound = { OUTBOUND_PRIVATE: '127.0.0.0/8' }
const { dataDir, launch } = programs({ DEMO_STUDENTS: '0', ...admin, ...outbound })
const { folder, settings, run } = await backupCommands()

test('the copy that a drill starts sends nothing of what is due in it; the installation does', async () => {
  const other = await receiver()
  const first = launch()
  const person = await signIn(await addressOf(first), 's1', 'admin', admin.ADMIN_PASSWORD)
  const { odId } = await person.send(webhookApi.add, {
    odName: '教务',
    address: `${other.address}/events`,
    eventKinds: ['person.added'],
  })
  await stopped(first)
  const database = await startEmbedded({ dataDir })
  await rowsOf(
    database.connection,
    `insert into "outboxDelivery" ("schoolId", "dlId", "odId", "eventId", "eventKind", "eventData", "isUrgent")
    values ('s1', gen_random_uuid(), $1, gen_random_uuid(), 'person.added', '{}', true)`,
    [odId],
  )
  await database.stop()
  const place = join(folder, 'place')
  expect(await run(['backup', place], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })

  // the program as it is, on a machine from which the other system can be reached
  const program = join(folder, 'program.mjs')
  const main = bundledFile(new URL('../../main.ts', import.meta.url))
  writeFileSync(program, `process.env.OUTBOUND_PRIVATE = '127.0.0.0/8'\nawait import(${JSON.stringify(main.href)})\n`)
  const report = await drill({
    backup: await findBackup(place),
    identity: await openIdentity(settings.BACKUP_IDENTITY),
    onProgress: () => {},
    program,
    environment: { PATH: process.env['PATH'] },
    onInterrupt: () => {},
  })
  expect(report.faults).toEqual([])
  expect(other.received).toEqual([])

  const again = launch()
  await expect.poll(() => other.at('/events').length, { timeout: 60_000 }).toBe(1)
  await stopped(again)
})
