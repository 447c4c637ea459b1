import { z } from 'zod'
import { call } from '../core/call.ts'
import { done, flag, id, nothing, optionalText, search, version } from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
import { supplementApi } from '../programme/supplements/supplements.calls.ts'
import { studentSupplementApi } from '../programme/supplements/student-supplements.calls.ts'
import { lisCredential, sound, supplementDetail, supplementFacts } from '../programme/supplements/supplements.schema.ts'

const { suId: _, ...facts } = supplementFacts
const lisId = id('补录记录')
const one = z.object({ lisId })
const action = z.strictObject({ lisId, version: version.optional() })

/** What staff enter for a student, entered by the student: the same facts, and nobody else's. */
export const ownSupplementApi = {
  list: call('GET', '/student/supplements', {
    summary: '我的补录',
    permit: 'student:self',
    input: paging.extend({ lisName: search('名称').optional() }),
    output: paged(studentSupplementApi.list.output.shape.records.element),
  }),
  detail: call('GET', '/student/supplement', {
    summary: '我的补录详情',
    permit: 'student:self',
    input: one,
    output: supplementDetail,
  }),
  save: call('POST', '/student/saveSupplement', {
    summary: '填写我的补录',
    permit: 'student:self',
    input: z
      .strictObject({
        lisId: lisId.optional(),
        version: version.optional(),
        submit: flag('提交审批').optional(),
        lisCredential,
        ...facts,
      })
      .check(sound),
    output: supplementApi.save.output,
  }),
  places: call('GET', '/student/supplementPlaces', {
    summary: '可申报补录的模块',
    permit: 'student:self',
    input: nothing,
    output: z.array(
      z.object({
        lsId: z.string(),
        /** `技能特长 / 语言证书`. */
        fullName: z.string(),
        isOpen: z.boolean(),
        /** `每年 3、9 月`. */
        window: z.string(),
        openUntil: z.string().nullable(),
        /** Levels that it takes; none named: all. */
        allowLevels: z.array(z.string()),
        /** `dictionary.sup_proof`. */
        supProofs: z.array(z.string()),
        supNote: z.string(),
      }),
    ),
  }),
  dupHints: call('POST', '/student/supplementHints', {
    summary: '查找与我的补录疑似重复的记录',
    permit: 'student:self',
    writes: false,
    input: supplementApi.dupHints.input.omit({ suId: true }),
    output: supplementApi.dupHints.output,
  }),
  preview: call('POST', '/student/supplementPreview', {
    summary: '预览我的补录由谁审批、计多少学时',
    permit: 'student:self',
    writes: false,
    input: supplementApi.flowPreview.input.omit({ suId: true }),
    output: supplementApi.flowPreview.output,
  }),
  withdraw: call('POST', '/student/withdrawSupplement', {
    summary: '撤回我的补录',
    permit: 'student:self',
    input: action,
    output: done,
  }),
  remove: call('POST', '/student/deleteSupplement', {
    summary: '删除我的补录',
    permit: 'student:self',
    input: z.strictObject({ lisId, reason: optionalText('删除原因', 500) }),
    output: done,
  }),
  proof: call('GET', '/student/supplementProof', {
    summary: '查看我的补录证明材料',
    permit: 'student:self',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('证明材料') }),
    output: fileOutput,
  }),
}
