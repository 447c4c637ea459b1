import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, isStorable, nothing } from '../../core/fields.ts'

/** Most characters of one preference as JSON, and most preferences of a person. */
const preferenceSize = 4000
export const maxPreferences = 300

const pfKey = z.string('缺少设置名称').regex(/^[a-z][\w:/#.-]{0,159}$/i, '设置名称不正确')

/**
 * What a person has set for themselves: columns, density, theme, favourite screens. Kept so that another machine looks
 * alike; it opens nothing.
 */
export const preferenceApi = {
  list: call('GET', '/preference/list', {
    summary: '我的界面设置',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ pfKey: z.string(), pfValue: z.unknown() })),
  }),
  /** Without `pfValue` it is forgotten. */
  save: call('POST', '/preference/save', {
    summary: '保存界面设置',
    permit: 'signed-in',
    input: z.strictObject({
      pfKey,
      pfValue: z
        .json()
        .refine((value) => JSON.stringify(value).length <= preferenceSize, '设置内容过长')
        .refine(isStorable, '设置内容含有无法保存的字符')
        .optional(),
    }),
    output: done,
  }),
}
