import type { Tables } from '../../core/database/pool.ts'

/** Where a table holds what people wrote, and copies of their names. */
export interface Written {
  /** Texts and JSON in which anybody may be named. */
  texts: readonly string[]
  /** Columns that copy a name, with those that hold the person’s id. */
  names: readonly (readonly [name: string, id: string])[]
  /** A name without an id, beside a telephone: it goes when that turns out to be somebody's. */
  contact?: readonly [name: string, phone: string]
}

const creator = ['createName', 'createBy'] as const
/** Of tables that only copy who made a row. */
const made: Written = { texts: [], names: [creator] }

/**
 * Every place outside the person's own row that may hold a name, a number or how to reach somebody (decision 042). Not
 * here, because they stay: the audit trail and the ledger (docs/security.md S17); what a transcript says, which is
 * emptied as a whole; and jobs, which are removed after days. A test scans every column of the database.
 */
export const writtenTexts: Partial<Record<keyof Tables, Written>> = {
  approval: { texts: ['bizName', 'summary', 'steps', 'facts', 'changes', 'undo'], names: [['startName', 'startBy']] },
  approvalContent: { texts: ['content'], names: [] },
  approvalDelegation: { texts: ['reason'], names: [creator] },
  approvalTask: {
    texts: ['opinion'],
    names: [
      ['checkerName', 'checkerId'],
      ['behalfName', 'onBehalfOf'],
    ],
  },
  awardTemplate: made,
  backgroundItem: { texts: ['itemName', 'msg'], names: [] },
  backgroundTask: { texts: ['btInput', 'filter', 'reason', 'fault'], names: [creator] },
  circle: { texts: ['ciDesc', 'reason'], names: [creator] },
  circleApply: {
    texts: ['applyReason', 'reason', 'content', 'differences'],
    names: [
      ['applyName', 'applyBy'],
      ['auditName', 'auditBy'],
    ],
  },
  circleClass: made,
  classTime: made,
  college: made,
  credibilityLog: { texts: ['reason'], names: [['operatorName', 'operatorId']] },
  curriculum: made,
  department: made,
  evaluation: made,
  examWeek: made,
  file: { texts: ['fileName'], names: [] },
  graduationBatch: { texts: ['reason', 'undoReason'], names: [creator] },
  importBatch: { texts: ['fileName', 'notes', 'fault'], names: [creator] },
  information: { texts: ['iiTitle', 'iiContent'], names: [creator] },
  lesson: {
    texts: [
      'liName',
      'liIntro',
      'liExt',
      'liSponsorName',
      'contactName',
      'contactPhone',
      'coOrganisers',
      'placeText',
      'resultSummary',
      'exitReason',
    ],
    names: [creator, ['liPrincipalName', 'liPrincipalId']],
    contact: ['contactName', 'contactPhone'],
  },
  lessonChange: { texts: ['columns', 'sessions', 'differences', 'reason'], names: [creator] },
  lessonDraw: { texts: ['drawnBy', 'ranked'], names: [] },
  major: made,
  news: {
    texts: ['niTitle', 'niSubtitle', 'niDetail', 'niSource', 'niAuthor', 'cancelReason'],
    names: [creator],
  },
  newsType: made,
  overCap: { texts: ['reason'], names: [creator] },
  person: { texts: ['remark', 'specialty', 'holdReason'], names: [creator] },
  place: made,
  privacyNotice: { texts: [], names: [['publishName', 'publishBy']] },
  publictyRound: { texts: ['startName', 'endName', 'endReason'], names: [] },
  qualityLabel: made,
  qualityModel: { texts: [], names: [creator, ['updateName', 'updateBy']] },
  question: {
    texts: [
      'qContent',
      'qAward',
      'opinion',
      'outcomeOpinion',
      'acceptName',
      'handleName',
      'outcomeName',
      'beforeResult',
      'afterResult',
    ],
    names: [creator],
  },
  registration: { texts: ['refuseReason', 'signReason', 'awardName', 'remark'], names: [] },
  role: made,
  school: made,
  schoolClass: made,
  signingKey: { texts: ['retireName', 'retireReason'], names: [creator] },
  studentWarning: { texts: ['helperName'], names: [] },
  studentChange: { texts: [], names: [['operatorName', 'operatorId']] },
  supplement: { texts: ['lisName', 'lisAward', 'lisOrg', 'lisDesc', 'refuseReason'], names: [creator] },
  team: { texts: ['teamName'], names: [creator] },
  term: made,
  thresholdBase: made,
  thresholdHelp: { texts: ['helpContent', 'helperName'], names: [creator] },
  thresholdPrompt: { texts: ['gapText', 'content'], names: [creator] },
  transcriptBatch: { texts: ['tbTitle', 'tbOptions', 'faults'], names: [creator] },
  transcriptPrint: { texts: [], names: [['printName', 'printBy']] },
  transformation: made,
  workflow: made,
  workflowCategory: made,
  workflowSample: { texts: ['wsName', 'expected'], names: [creator] },
  workflowVersion: { texts: ['content'], names: [creator] },
}
