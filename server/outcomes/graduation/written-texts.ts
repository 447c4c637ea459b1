import type { Tables } from '../../core/database/pool.ts'

/** Where a table holds what people wrote, and copies of their names. */
export interface Written {
  /** Texts and JSON in which anybody may be named. */
  texts: readonly string[]
  /** Columns that copy a name, with those that hold the person’s id. */
  names: readonly (readonly [name: string, id: string])[]
  /**
   * Columns that copy the name of somebody who acted, with no id: it goes where nobody else has had that name. They are
   * searched as `texts` are, and stand only here.
   */
  bareNames?: readonly string[]
  /** A name without an id, beside a telephone: it goes when that turns out to be somebody's. */
  contact?: readonly [name: string, phone: string]
}

const creator = ['createName', 'createBy'] as const
/** Of tables that only copy who made a row. */
const made: Written = { texts: [], names: [creator] }

/**
 * Every place outside the person's own row that may hold a name, a number or how to reach somebody (decision 042). Not
 * here, because they stay: the audit trail and the ledger (docs/security.md S17); what a transcript says, which is
 * emptied as a whole; jobs, which are removed after days; and imports, of which what has ended goes with the person and
 * the rest by its terms (decision 131). A test scans every column of the database.
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
  graduationBatch: { texts: ['reason', 'undoReason'], names: [creator], bareNames: ['undoName'] },
  importBatch: { texts: ['fileName', 'notes', 'fault'], names: [creator] },
  importSource: made,
  importSourceRun: { texts: ['fileName', 'leavers', 'fault'], names: [], bareNames: ['createName'] },
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
  lessonDraw: { texts: ['ranked'], names: [], bareNames: ['drawnBy'] },
  major: made,
  messageTemplate: made,
  news: {
    texts: ['niTitle', 'niSubtitle', 'niDetail', 'niSource', 'niAuthor', 'cancelReason'],
    names: [creator],
  },
  newsType: made,
  outboxDelivery: { texts: ['eventData', 'answerText'], names: [] },
  outboxDestination: made,
  overCap: { texts: ['reason'], names: [creator] },
  personErasure: { texts: ['reason'], names: [creator] },
  person: { texts: ['remark', 'specialty', 'holdReason'], names: [creator] },
  place: made,
  privacyNotice: { texts: [], names: [['publishName', 'publishBy']] },
  publictyRound: { texts: ['endReason'], names: [], bareNames: ['startName', 'endName'] },
  qualityLabel: made,
  qualityModel: { texts: [], names: [creator, ['updateName', 'updateBy']] },
  question: {
    texts: ['qContent', 'qAward', 'opinion', 'outcomeOpinion', 'beforeResult', 'afterResult'],
    names: [creator],
    bareNames: ['acceptName', 'handleName', 'outcomeName'],
  },
  registration: { texts: ['refuseReason', 'signReason', 'awardName', 'remark', 'applyAnswers'], names: [] },
  role: made,
  school: made,
  schoolClass: made,
  serviceKey: { ...made, bareNames: ['revokeName'] },
  signingKey: { texts: ['retireReason'], names: [creator], bareNames: ['retireName'] },
  studentWarning: { texts: [], names: [], bareNames: ['helperName'] },
  studentChange: { texts: [], names: [['operatorName', 'operatorId']] },
  supplement: { texts: ['lisName', 'lisAward', 'lisOrg', 'lisDesc', 'refuseReason'], names: [creator] },
  team: { texts: ['teamName'], names: [creator] },
  term: made,
  thresholdBase: made,
  thresholdHelp: { texts: ['helpContent'], names: [creator], bareNames: ['helperName'] },
  thresholdPrompt: { texts: ['gapText', 'content'], names: [creator] },
  transcriptApplication: { texts: ['decideReason'], names: [['decideName', 'decideBy']] },
  transcriptBatch: { texts: ['tbTitle', 'tbOptions', 'faults'], names: [creator] },
  transcriptPrint: { texts: [], names: [['printName', 'printBy']] },
  transformation: made,
  workflow: made,
  workflowCategory: made,
  workflowSample: { texts: ['wsName', 'expected'], names: [creator] },
  workflowVersion: { texts: ['content'], names: [creator] },
}
