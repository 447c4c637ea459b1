import { setTimeout as sleep } from 'node:timers/promises'
import { backgroundStatus } from '../../contract/core/codes/platform.ts'
import { backgroundApi, type BackgroundTask } from '../../contract/platform/background/background.calls.ts'
import { inBackground } from '../app.ts'
import { startJobs, type JobRunner } from '../core/jobs/job-runner.ts'
import { backgroundHandlers } from '../platform/background/background-jobs.ts'
import { actorFor } from '../school/session/tokens.ts'
import { testApp } from './app.ts'
import type { Client } from './client.ts'

/** Runs what is asked for in the background, as the program does. */
export async function runBackground(
  options: Partial<Pick<Parameters<typeof startJobs>[0], 'beatMs' | 'deadMs' | 'pollMs'>> = {},
): Promise<JobRunner> {
  const { services } = await testApp()
  const { 'background:sweep': _, ...handlers } = backgroundHandlers(services, inBackground, actorFor)
  return startJobs({ ...services, handlers, pollMs: 50, beatMs: 200, ...options })
}

/** A task as its owner sees it. */
export const taskOf = async (client: Client, btId: string): Promise<BackgroundTask> =>
  (await client.send(backgroundApi.list, { pageSize: 100 })).records.find((one) => one.btId === btId)!

/** A task once nothing is done for it any more. */
export async function whenOver(client: Client, btId: string): Promise<BackgroundTask> {
  for (;;) {
    const task = await taskOf(client, btId)
    if (task.btStatus !== backgroundStatus.waiting && task.btStatus !== backgroundStatus.running) return task
    await sleep(30)
  }
}
