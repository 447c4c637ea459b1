import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, id, isStorable, text } from '../../core/fields.ts'

/** The list that a view belongs to: the path of its screen, and the list's own name where a screen has several. */
const listName = z
  .string('缺少列表')
  .trim()
  .regex(/^\/[\w/#.-]{1,119}$/, '列表不正确')
/** Filters and order as the address bar has them. */
const svQuery = z
  .record(z.string().max(40), z.string().max(500))
  .refine((query) => Object.keys(query).length <= 40, '筛选条件过多')
  .refine(isStorable, '筛选条件含有无法保存的字符')
export const savedView = z.object({ svId: z.string(), svTitle: z.string(), svQuery: z.record(z.string(), z.string()) })
export type SavedView = z.infer<typeof savedView>

/**
 * Views of lists that a person keeps for themselves. They open nothing: what a list shows is decided by its own call.
 */
export const savedViewApi = {
  list: call('GET', '/savedView/list', {
    summary: '我的视图',
    permit: 'signed-in',
    input: z.object({ listName }),
    output: z.array(savedView),
  }),
  save: call('POST', '/savedView/save', {
    summary: '保存视图',
    permit: 'signed-in',
    /** With an id the view is renamed or set anew. */
    input: z.strictObject({ svId: id('视图').optional(), listName, svTitle: text('视图名称', 20), svQuery }),
    output: z.object({ svId: z.string() }),
  }),
  remove: call('POST', '/savedView/del', {
    summary: '删除视图',
    permit: 'signed-in',
    input: z.strictObject({ svId: id('视图') }),
    output: done,
  }),
}
