import { beforeAll, expect, test } from 'vitest'
import { pdfWords } from '../testing/pdf.ts'
import { mainJob, type SpecWorld } from './main-job.ts'

let world: SpecWorld
beforeAll(async () => {
  world = await mainJob()
})

test('from an empty college to a completed course: hours and award stand on the printed transcript', async () => {
  const { admin, ids } = world
  expect(await admin.ok('GET S:/lessonsInfoAC/queryLessonsDetails', { liId: ids.liId })).toMatchObject({
    liName: '《红楼梦》共读',
    liStatus: '70',
  })
  const header = await admin.ok('POST S:/transcript/getAchievementHeader', { suId: ids.suId })
  expect(header.summary).toMatchObject({ totalHours: '3', totalCredit: '0.5' })
  const { records } = await admin.ok('POST S:/transcript/getAchievement', { suId: ids.suId })
  expect(records).toMatchObject([{ name: '《红楼梦》共读', hours: '3' }])
  expect((await admin.ok('POST S:/transcript/getAchievementHeader', { suId: ids.otherSuId })).summary).toMatchObject({
    totalHours: '2',
  })
  const paper = await admin.ok('POST S:/transcript/exportAchievement', { suIds: [ids.suId] })
  const words = await pdfWords(paper)
  expect(words).toContain('安然')
  expect(words).toContain('红楼梦')
})
