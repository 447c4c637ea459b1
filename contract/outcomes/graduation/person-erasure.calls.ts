import { z } from 'zod'
import { call } from '../../core/call.ts'
import { id, reason } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'

/** What there is of a person that an erasure takes away; each is a number of rows unless it says otherwise. */
const erased = z.object({
  /** Which ways to reach them and which facts are on record, by their Chinese labels. */
  facts: z.array(z.string()),
  /** Where they are signed in, and devices that are not asked for a code. */
  devices: z.number(),
  /** Accounts elsewhere that they sign in by. */
  bindings: z.number(),
  roles: z.number(),
  /** Supplements, questions and applications of circles with papers that prove them. */
  proofs: z.number(),
  /** Works handed in for courses. */
  works: z.number(),
  /** Registrations with answers to what the course asked. */
  answers: z.number(),
})

/** What stays of a person, under a pseudonym; rows of each. */
const kept = z.object({
  credits: z.number(),
  registrations: z.number(),
  supplements: z.number(),
  /** Courses that they are responsible for or take part in as staff. */
  lessons: z.number(),
  /** Applications that they decided on. */
  approvals: z.number(),
  /** Signed transcripts, of which only what they say is emptied. */
  transcripts: z.number(),
})

/** Somebody whose data were erased because they asked for it. */
const erasedPerson = z.object({
  suId: z.string(),
  /** The pseudonym. */
  suiName: z.string(),
  suiType: z.string(),
  reason: z.string(),
  createName: z.string(),
  createTime: z.string(),
})
export type ErasedPerson = z.output<typeof erasedPerson>

/** Erasing the data of one person who has left and asks for it (个人信息删除, decision 131). */
export const personErasureApi = {
  preview: call('POST', '/sysUserInfo/personErasurePreview', {
    summary: '预览个人信息删除',
    permit: 'person:erase',
    writes: false,
    input: z.strictObject({ suId: id('人员') }),
    output: z.object({
      suId: z.string(),
      suiName: z.string(),
      suiNumber: z.string(),
      /** The name they will go by. */
      pseudonym: z.string(),
      /** Why not, each a sentence; empty where nothing stands against it. */
      obstacles: z.array(z.string()),
      erased,
      kept,
    }),
  }),
  erase: call('POST', '/sysUserInfo/personErase', {
    summary: '删除个人信息',
    permit: 'person:erase',
    needsFreshCode: true,
    input: z.strictObject({
      suId: id('人员'),
      /** Typed by hand, so that nobody is erased by a slip. */
      confirmNumber: z
        .string('请输入学工号')
        .trim()
        .min(1, '请输入学工号')
        .max(30, '学工号不能超过 30 个字')
        .meta({ label: '确认学工号', max: 30 }),
      reason: reason('删除原因'),
    }),
    /** `suiName`: the pseudonym. */
    output: z.object({ suId: z.string(), suiName: z.string() }),
  }),
  list: call('POST', '/sysUserInfo/personErasureList', {
    summary: '个人信息删除记录',
    permit: 'person:erase',
    writes: false,
    input: paging,
    output: paged(erasedPerson),
  }),
}
