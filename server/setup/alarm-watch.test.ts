import { expect, onTestFinished, test } from 'vitest'
import { jobStatus } from '../../contract/core/codes/platform.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { enqueue } from '../core/jobs/jobs.ts'
import { startJobs } from '../core/jobs/job-runner.ts'
import { watchJob, watchRuntime } from '../school/runtime/alarms.service.ts'
import { useOwnDatabase } from '../testing/database.ts'
import { newSchool } from '../testing/school.ts'
import { startAlarmWatch } from './alarm-watch.ts'

await useOwnDatabase()

test('where work without end has all places of the runner, that nobody begins a job is told all the same, once', async () => {
  const school = await newSchool()
  const alarms = { diskBytes: 0, backupHours: 0, jobMinutes: 10 }
  const services = { ...school.services, config: { ...school.services.config, alarms } }
  const stuck = 'alarm:stuck'
  for (let at = 0; at < 4; at++) await enqueue(services, { schoolId: '', kind: stuck, runAt: '2026-01-01 00:00:00' })
  const runner = await startJobs({
    ...services,
    handlers: {
      [stuck]: { run: () => new Promise(() => {}) },
      [watchJob]: { run: () => watchRuntime(services) },
    },
  })
  onTestFinished(() => runner.stop(0))
  const running = () =>
    services.db.selectFrom('job').select('jobId').where('jobStatus', '=', jobStatus.running).execute()
  await expect.poll(running, { timeout: 10_000 }).toHaveLength(4)
  await enqueue(services, { schoolId: '', kind: watchJob, key: 'every', runAt: '2026-01-01 00:00:00' })
  const watches = [startAlarmWatch(services, 50), startAlarmWatch(services, 50)]
  onTestFinished(async () => void (await Promise.all(watches.map((stop) => stop()))))
  const told = async () =>
    (await school.admin.send(messageApi.inbox, { pageSize: 50 })).records.map(({ iiTitle }) => iiTitle)
  await expect.poll(told, { timeout: 20_000 }).toEqual(['任务无人执行'])
  await Promise.all(watches.map((stop) => stop()))
  expect(await told()).toEqual(['任务无人执行'])
  expect(await running()).toHaveLength(4)
})
