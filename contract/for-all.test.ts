import { expect, test } from 'vitest'
import { z } from 'zod'
import { fullPath } from './core/call.ts'
import { allCalls } from './index.ts'

/** What is done to several rows, and not to all rows that a filter finds, with the reason. */
const notForAll: Record<string, string> = {
  '/awardTemplate/enable': 'a short list, settled once',
  '/workFlow/switchWorkInfo': 'a short list, settled once',
  '/workFlow/moveWorkInfo': 'a short list, settled once',
  '/workFlow/sortWorkType': 'an order is that of all',
  '/workFlow/acceptSample': 'a short list, each looked at',
  '/integration/webhooks/enable': 'a short list, settled once',
  '/integration/channels/enable': 'a short list, settled once',
  '/integration/keys/revoke': 'a short list, each looked at',
  '/schoolQualityLable/enable': 'a short list, settled once',
  '/lessonsClass/enable': 'a short list, settled once',
  '/transcript/startBatch': 'takes the filters by itself, and runs in the background',
  '/transcript/exportAchievement': 'one file now; of many, 批量打印',
  '/sysUserInfo/activationSlips': 'takes the filters by itself',
  '/sysUserInfo/resetPasswordsBatch': 'its workbook is handed out once; the screen offers all up to its limit',
  '/sysUserInfo/restoreCredibility': 'the entries of one student',
  '/sysUserInfo/liftBlacklist': 'one student at a time',
  '/lessonsApplyInfo/addSignerAudit': 'names people, not rows',
  '/lessonsApplyInfo/takeBackAudit': 'what one has just decided',
  '/lessonsApplyInfo/teamAward': 'the members of one team',
  '/schoolDepartment/departmentUserSort': 'an order is that of all',
}
/** What takes away, and what writes one record whose form has lists. */
const isOther = (summary: string): boolean =>
  /^(删除|移除|新增|编辑|保存|添加|新建|设置|填写|登记|提交|发送|克隆|生成|采用|查看|预览|按年级)/.test(summary)

const shapeOf = (type: z.ZodType): Record<string, z.ZodType> =>
  type instanceof z.ZodObject ? type.shape : type instanceof z.ZodPipe ? shapeOf(type.in as z.ZodType) : {}
const isList = (type: z.ZodType): boolean =>
  type instanceof z.ZodArray
    ? !(type.element instanceof z.ZodObject)
    : type instanceof z.ZodPipe
      ? isList(type.in as z.ZodType) || isList(type.out as z.ZodType)
      : type instanceof z.ZodOptional && isList(type.unwrap() as z.ZodType)

test('what can be done to several rows can be done to all that a filter finds, or stands here with its reason', () => {
  const bare = allCalls
    .map(({ call }) => call)
    .filter(({ writes, forAll, summary }) => writes && forAll.length === 0 && !isOther(summary))
    .filter(({ input }) => Object.entries(shapeOf(input)).some(([name, type]) => /ids?$/i.test(name) && isList(type)))
    .map((call) => fullPath(call).replace('/api/schoolbase', ''))
  expect(bare.toSorted()).toEqual(Object.keys(notForAll).toSorted())
})
