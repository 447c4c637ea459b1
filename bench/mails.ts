import { sql } from 'kysely'
import { enableStatus, mailSecurity, messageChannel, messageType } from '../contract/core/codes/platform.ts'
import { personType } from '../contract/core/codes/school.ts'
import { channelApi } from '../contract/school/channels/channels.calls.ts'
import { buildApp } from '../server/app.ts'
import { newId } from '../server/core/base/ids.ts'
import { startJobs } from '../server/core/jobs/job-runner.ts'
import { systemContext } from '../server/core/request/system.ts'
import { inTransaction } from '../server/core/request/transaction.ts'
import { notify } from '../server/platform/notifications/notify.service.ts'
import { outboxJobs } from '../server/platform/outbox/outbox-jobs.ts'
import { messageSenders } from '../server/school/channels/message-senders.ts'
import { openAccounts } from '../server/school/people/accounts.service.ts'
import { createSchool } from '../server/setup/create-school.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { signIn } from '../server/testing/client.ts'
import { endFile } from '../server/testing/file-end.ts'
import { mailSink } from '../server/testing/mail-sink.ts'
import { rounded, type Part } from './report.ts'

/** People who are told, and seconds for which mails are counted. */
const people = Number(process.env['BENCH_MAILS'] ?? 30_000)
const countedSeconds = 60
/** Bars: seconds of the act; mails a second. */
const bars = { act: 20, perSecond: 25 }
const password = 'Bench-2026!'

/** One message to 30,000 people whose school has a channel of mail: how long the act takes, and how fast mails go. */
export async function mails({ services }: OpenServices): Promise<Part> {
  const schoolId = `mails${Date.now().toString(36)}`
  const suIds = await schoolOf(services, schoolId)
  const sink = await mailSink()
  const app = await buildApp(services)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  services.config.outboundPrivate = ['127.0.0.1']
  const client = await signIn(address, schoolId, 'admin', password)
  const { odId } = await client.send(channelApi.save, {
    odChannel: messageChannel.mail,
    odName: '邮件',
    settings: {
      host: '127.0.0.1',
      port: sink.port,
      security: mailSecurity.plain,
      fromAddress: 'dekt@example.edu.cn',
      fromName: '第二课堂',
    },
  })
  await client.send(channelApi.enable, { odIds: [odId], enable: enableStatus.enabled })
  const began = performance.now()
  await inTransaction(systemContext(services, schoolId), (tx) =>
    notify(tx, { suIds, title: '通知', content: '请于周五前确认。', type: messageType.system }),
  )
  const act = (performance.now() - began) / 1000
  const jobs = await startJobs({ ...services, handlers: outboxJobs(services, async () => undefined, messageSenders) })
  const [from, first] = [performance.now(), sink.mails.length]
  while (performance.now() - from < countedSeconds * 1000 && sink.mails.length < people)
    await new Promise((done) => setTimeout(done, 200))
  const perSecond = (sink.mails.length - first) / ((performance.now() - from) / 1000)
  await jobs.stop()
  await client.send(channelApi.enable, { odIds: [odId], enable: enableStatus.disabled })
  await app.close()
  await endFile()
  return {
    title: `A message to ${people.toLocaleString('en')} people by mail`,
    rows: [
      {
        'act s': rounded(act),
        'mails a second': rounded(perSecond),
        connections: sink.connections.made,
        'minutes for all': Math.round(people / perSecond / 60),
      },
    ],
    missed: [
      ...(act > bars.act ? [`the act took ${rounded(act)} s, ${bars.act} allowed`] : []),
      ...(perSecond < bars.perSecond ? [`${rounded(perSecond)} mails a second, ${bars.perSecond} wanted`] : []),
    ],
  }
}

/** A school with so many students in one class, who all have a mailbox. @returns the students */
async function schoolOf(services: OpenServices['services'], schoolId: string): Promise<string[]> {
  const ctx = { ...services, origin: { requestId: 'bench', ip: '127.0.0.1', agent: 'bench' } }
  await createSchool(ctx, {
    schoolId,
    schName: '邮件测试大学',
    admin: { username: 'admin', name: '管理员', password, keepPassword: true },
  })
  const [scId, smId, scClassId] = [newId(), newId(), newId()]
  const { db } = services
  await db.insertInto('college').values({ schoolId, scId, scCode: '1', scName: '学院' }).execute()
  await db.insertInto('major').values({ schoolId, smId, smCode: 'M1', smName: '专业', scId }).execute()
  await db
    .insertInto('schoolClass')
    .values({ schoolId, scClassId, scClassName: '一班', scClassGrade: '2024', smId, scId })
    .execute()
  const suIds: string[] = []
  for (let at = 0; at < people; at += 1000) {
    const rows = Array.from({ length: Math.min(1000, people - at) }, (_, more) => ({
      suId: newId(),
      suiNumber: `S${at + more}`,
      suiName: `学生${at + more}`,
    }))
    await db
      .insertInto('person')
      .values(
        rows.map((row) => ({
          ...row,
          schoolId,
          suiType: personType.student,
          suiGrade: '2024',
          suiCollegeId: scId,
          majorId: smId,
          scClassId,
          suiEmail: `${row.suiNumber}@example.edu.cn`,
        })),
      )
      .execute()
    suIds.push(...rows.map(({ suId }) => suId))
    await openAccounts(
      ctx,
      schoolId,
      rows.map((row) => ({ ...row, suType: personType.student })),
    )
  }
  await sql`analyze "person"`.execute(db)
  return suIds
}
