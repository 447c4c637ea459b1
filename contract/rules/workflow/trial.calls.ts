import { z } from 'zod'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { amount, choice, done, id, ids, option, pick, text, version } from '../../core/fields.ts'
import { sampleChange } from './workflow.schema.ts'

const wfType = pick('流程类型', valuesOf('wf_type'))
const liLevel = z
  .string('请选择级别')
  .trim()
  .min(1, '请选择级别')
  .max(8, '级别不正确')
  .meta({ label: '级别', pick: true })

/** A case to try: who starts it, in which module, at which level, and how much credit it gives (0: none). */
const trialCase = { suId: choice('发起人'), lsId: choice('课程体系'), liLevel, credit: amount('学分', 100).default(0) }

/** A flow with the sentence that says why it applies or not. */
const rankedFlow = z.object({ wfId: z.string(), wfName: z.string(), isChosen: z.boolean(), why: z.string() })

/** The same in a cell of the map, with who decides on questions there; empty for a flow that does not apply. */
const flowOfCell = rankedFlow.extend({ questionsText: z.string() })

const trialStep = z.object({
  stepName: z.string(),
  stepType: z.string(),
  /** Who is meant, in words; and the people that are today. */
  checkerText: z.string(),
  people: z.array(option),
  /** What becomes of the step: asked as usual, or what else and why. */
  fate: z.enum(['ask', 'self', 'later', 'copy', 'auto', 'admin', 'skip', 'unasked', 'block', 'open']),
  note: z.string(),
  /** How long it may take and what happens then, in words; empty where nobody is waited for. */
  limit: z.string(),
})

const trial = z.object({
  initiator: z.object({ suId: z.string(), suiName: z.string() }),
  /** The flow that applies, or null. */
  flow: z.object({ wfId: z.string(), wfName: z.string(), wfVersion: z.number() }).nullable(),
  why: z.string(),
  others: z.array(rankedFlow),
  nodes: z.array(z.object({ nodeName: z.string(), steps: z.array(trialStep) })),
  /** What would stop the matter, in sentences. */
  blocks: z.array(z.string()),
})

/**
 * flow: one flow; default: the default one; hole: none; overlap: several of the same weight; partial: only for some
 * roles or only with credit.
 */
const cellKind = z.enum(['flow', 'default', 'hole', 'overlap', 'partial'])

const sampleRow = sampleChange.extend({
  wfId: z.string(),
  wfName: z.string(),
  wfType: z.string(),
  suId: z.string(),
  suiName: z.string(),
  lsId: z.string(),
  lsName: z.string(),
  liLevel: z.string(),
  levelName: z.string(),
  credit: z.string(),
  updateTime: z.string(),
  version: z.number(),
  /** Whether the outcome is the expected one. */
  isRight: z.boolean(),
})

/** Trying flows out: one case, the whole school as a map, and cases whose outcome is watched. */
export const trialApi = {
  sandbox: call('POST', '/workFlow/sandbox', {
    summary: '流程沙盘',
    permit: 'workflow:list',
    writes: false,
    input: z.strictObject({ wfType, ...trialCase }),
    output: trial,
  }),
  coverage: call('POST', '/workFlow/coverageMap', {
    summary: '流程覆盖图',
    permit: 'workflow:list',
    writes: false,
    /** `srId` narrows the map to one role; `lsId` to one module. */
    input: z.strictObject({ wfType, srId: id('角色').optional(), lsId: id('课程体系').optional() }),
    output: z.object({
      roles: z.array(option),
      modules: z.array(option),
      levels: z.array(option),
      flows: z.array(z.object({ wfId: z.string(), wfName: z.string(), isDefault: z.string() })),
      rows: z.array(
        z.object({
          lsId: z.string(),
          lsName: z.string(),
          depth: z.number(),
          cells: z.array(z.object({ level: z.string(), kind: cellKind, wfIds: z.array(z.string()) })),
        }),
      ),
      counts: z.record(cellKind, z.number()),
    }),
  }),
  coverageCell: call('POST', '/workFlow/coverageCell', {
    summary: '覆盖图中的一格',
    permit: 'workflow:list',
    writes: false,
    input: z.strictObject({ wfType, lsId: choice('课程体系'), liLevel, srId: id('角色').optional() }),
    output: z.array(
      z.object({ srId: z.string().nullable(), srName: z.string(), kind: cellKind, flows: z.array(flowOfCell) }),
    ),
  }),
  samples: call('GET', '/workFlow/sampleList', {
    summary: '样例及其运行结果',
    permit: 'workflow:list',
    input: z.object({ wfId: id('流程').optional() }),
    output: z.array(sampleRow),
  }),
  saveSample: call('POST', '/workFlow/saveSample', {
    summary: '保存样例',
    permit: 'workflow:edit',
    /** Kept beside the flow that applies; what it leads to now is what is expected from now on. */
    input: z.strictObject({
      wsId: id('样例').optional(),
      version: version.optional(),
      wsName: text('样例名称', 50),
      wfType,
      ...trialCase,
    }),
    output: z.object({ wsId: z.string() }),
  }),
  acceptSamples: call('POST', '/workFlow/acceptSample', {
    summary: '以当前结果为样例的预期',
    permit: 'workflow:edit',
    input: z.strictObject({ wsIds: ids }),
    output: done,
  }),
  removeSamples: call('POST', '/workFlow/deleteSample', {
    summary: '删除样例',
    permit: 'workflow:edit',
    input: z.strictObject({ wsIds: ids }),
    output: done,
  }),
}
