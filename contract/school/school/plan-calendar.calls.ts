import { z } from 'zod'
import { call } from '../../core/call.ts'
import { day, done, id, ids, integer, search, text, version } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'

const can = z.array(z.enum(['edit', 'delete']))

const place = z.object({ plId: z.string(), plName: z.string(), plCapacity: z.number(), version: z.number(), can })
const placeForm = z.strictObject({
  plId: id('场地').optional(),
  version: version.optional(),
  plName: text('场地名称', 100),
  plCapacity: integer('可容纳人数', 1, 100_000),
})

const examWeek = z.object({
  ewId: z.string(),
  ewName: z.string(),
  ewStart: z.string(),
  ewEnd: z.string(),
  version: z.number(),
  can,
})
const examWeekForm = z
  .strictObject({
    ewId: id('考试周').optional(),
    version: version.optional(),
    ewName: text('名称', 40),
    ewStart: day('开始日期'),
    ewEnd: day('结束日期'),
  })
  .check(({ value, issues }) => {
    if (value.ewEnd < value.ewStart)
      issues.push({ code: 'custom', input: value, path: ['ewEnd'], message: '结束日期不能早于开始日期' })
    else if (Date.parse(value.ewEnd) - Date.parse(value.ewStart) > 62 * 86_400_000)
      issues.push({ code: 'custom', input: value, path: ['ewEnd'], message: '考试周不能超过 63 天' })
  })

/**
 * What a plan of a course is held against: how many people places hold, and when exams are. Hints come of it, no
 * refusals.
 */
export const planCalendarApi = {
  places: call('GET', '/SchoolInfoT/getPlaceList', {
    summary: '场地列表',
    permit: 'school:list',
    input: paging.extend({ plName: search('场地名称').optional() }),
    output: paged(place),
  }),
  savePlace: call('POST', '/SchoolInfoT/savePlace', {
    summary: '保存场地',
    permit: 'school:edit',
    input: placeForm,
    output: z.object({ plId: z.string() }),
  }),
  removePlaces: call('POST', '/SchoolInfoT/delPlaces', {
    summary: '删除场地',
    permit: 'school:edit',
    input: z.strictObject({ plIds: ids }),
    output: done,
  }),
  examWeeks: call('GET', '/SchoolInfoT/getExamWeekList', {
    summary: '考试周列表',
    permit: 'school:list',
    input: paging,
    output: paged(examWeek),
  }),
  saveExamWeek: call('POST', '/SchoolInfoT/saveExamWeek', {
    summary: '保存考试周',
    permit: 'school:edit',
    input: examWeekForm,
    output: z.object({ ewId: z.string() }),
  }),
  removeExamWeeks: call('POST', '/SchoolInfoT/delExamWeeks', {
    summary: '删除考试周',
    permit: 'school:edit',
    input: z.strictObject({ ewIds: ids }),
    output: done,
  }),
}
