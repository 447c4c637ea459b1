/** Generated from the migrated database by `npm run schema`; a test compares. Never edited by hand. */
import type { ColumnType } from 'kysely'

/**
 * A value of jsonb is read as it is and written as JSON text (JSON.stringify): the driver would take an array for one
 * of PostgreSQL's.
 */
export type Json = ColumnType<unknown, string, string>

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>

export interface Account {
  createTime: Generated<string>
  initialUntil: string | null
  lastLoginIp: string | null
  lastLoginTime: string | null
  mustChangePwd: Generated<boolean>
  /**
   * when it was agreed to
   */
  noticeTime: string | null
  /**
   * the privacy notice agreed to last
   */
  noticeVersion: number | null
  passwordHash: string
  policyUnverified: Generated<boolean>
  previousLoginTime: string | null
  pwdUpdateTime: string | null
  schoolId: string
  suId: string
  suLoginName: string
  suNickname: string
  suStatus: Generated<string>
  suType: string
  /**
   * sealed a secret not confirmed by a code yet
   */
  totpPending: Buffer | null
  totpPendingUntil: string | null
  /**
   * sealed null without a second factor
   */
  totpSecret: Buffer | null
  /**
   * step of the code used last earlier ones are refused
   */
  totpStep: number | null
  /**
   * since when the second factor is on
   */
  totpTime: string | null
  updateTime: Generated<string>
}

export interface ActivationCode {
  codeHash: Buffer
  /**
   * who had it printed
   */
  createBy: string
  createTime: string
  expireTime: string
  schoolId: string
  suId: string
}

export interface Alarm {
  alKind: string
  alText: string
  occurrence: Generated<string>
  raiseTime: string
  schoolId: string
}

export interface Approval {
  bizId: string
  bizName: string
  bizType: string
  changes: Generated<Json>
  /**
   * who ended it without a decision
   */
  endName: Generated<string>
  endReason: Generated<string>
  endTime: string | null
  facts: Generated<Json>
  insId: string
  insStatus: Generated<string>
  nodeName: string
  remindCount: Generated<number>
  remindTime: string | null
  schoolId: string
  scopeCollegeId: string | null
  startBy: string
  startName: string
  startTime: Generated<string>
  steps: Json
  stepSort: Generated<number>
  summary: Generated<string>
  undo: Json | null
  version: Generated<number>
  wfId: string
  wfName: string
  wfVersion: number
}

export interface ApprovalContent {
  content: Json
  insId: string
  schoolId: string
}

export interface ApprovalDelegation {
  agentId: string
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  dgId: string
  endTime: string
  reason: Generated<string>
  schoolId: string
  startTime: string
  suId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface ApprovalOpinion {
  phrases: string[]
  schoolId: string
  suId: string
  updateTime: Generated<string>
}

export interface ApprovalTask {
  /**
   * the task whose checker wants an opinion by this one
   */
  adviceOn: string | null
  arriveTime: Generated<string>
  backTo: number | null
  behalfName: Generated<string>
  bizType: string
  checkerId: string
  checkerName: string
  dueTime: string | null
  handleTime: string | null
  insId: string
  nextAction: Generated<string>
  nextTime: string | null
  onBehalfOf: string | null
  opinion: Generated<string>
  round: Generated<number>
  schoolId: string
  seatId: string | null
  stepName: string
  stepSort: number
  taskId: string
  taskStatus: Generated<string>
}

export interface AuditArchive {
  arcNo: number
  createTime: string
  cutTime: string
  fileName: string
  firstTime: string
  fromSeal: number
  lastTime: string
  rowCount: number
  schoolId: string
  sha256: string
  size: number
  throughSeal: number
}

export interface AuditLog {
  action: string
  actorId: string | null
  actorName: string
  after: Json | null
  agent: string
  before: Json | null
  bizId: Generated<string>
  bizName: Generated<string>
  bizType: Generated<string>
  ip: string
  logId: string
  logTime: Generated<string>
  onBehalfOf: string | null
  reason: Generated<string>
  requestId: string
  result: Generated<string>
  schoolId: string
}

export interface AuditSeal {
  firstTime: string
  form: number
  hash: Buffer
  lastTime: string
  logIds: string[]
  prevHash: Buffer
  rowCount: number
  rowHashes: Buffer
  schoolId: string
  sealNo: number
  sealTime: string
}

export interface AwardDetail {
  abilityFactor: Generated<number>
  adId: string
  adLevel: Generated<string>
  adName: string
  adSort: Generated<number>
  atId: string
  credit: Generated<number>
  delFlag: Generated<string>
  hours: Generated<number>
  needProof: Generated<string>
  points: Generated<number>
  quota: number | null
  quotaType: Generated<string>
  schoolId: string
}

export interface AwardTemplate {
  atDesc: Generated<string>
  atId: string
  atName: string
  atType: Generated<string>
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  enable: Generated<string>
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface BackgroundItem {
  btId: string
  groupId: string | null
  itemId: string
  itemName: string
  itemNo: number
  itemStatus: Generated<string>
  msg: Generated<string>
  pairId: string | null
  schoolId: string
}

export interface BackgroundTask {
  beginTime: string | null
  btId: string
  btInput: Json
  btKind: string
  btStatus: Generated<string>
  btTitle: string
  callPath: string
  createBy: string
  createName: Generated<string>
  createTime: Generated<string>
  doneCount: Generated<number>
  endTime: string | null
  fault: Generated<string>
  fileName: string | null
  fileSize: number | null
  fileType: string | null
  filter: Generated<Json>
  jobId: string | null
  listPath: string | null
  origin: Json
  reason: Generated<string>
  refusedCount: Generated<number>
  schoolId: string
  /**
   * part of the school that the file of an export shows
   */
  scope: Json | null
  storeKey: string | null
  /**
   * records of an action, rows of an export as far as known
   */
  total: number | null
  undoOf: string | null
}

export interface BackupRun {
  backupName: Generated<string>
  brId: string
  brKind: string
  brStatus: Generated<string>
  endTime: string | null
  error: Generated<string>
  /**
   * bytes that it added to its place
   */
  newSize: number | null
  place: string
  /**
   * bytes that restoring it reads, null while it runs
   */
  size: number | null
  startTime: Generated<string>
}

export interface CalendarFeed {
  createTime: string
  feedId: string
  /**
   * own: activities of the person courses: those they may see
   */
  feedKind: string
  /**
   * when it was last fetched, at most once an hour
   */
  lastTime: string | null
  schoolId: string
  /**
   * of courses: of this college alone
   */
  scId: string | null
  /**
   * who made it, and by whose rights it answers
   */
  suId: string
  tokenHash: Buffer
}

export interface Circle {
  charterFile: string | null
  ciAuthStatus: Generated<string>
  ciClass: string
  ciCollegeId: string | null
  ciDesc: Generated<string>
  ciId: string
  ciLevel: Generated<string>
  ciName: string
  ciNo: string
  ciStatus: Generated<string>
  cpiPersonId: string
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  delFlag: Generated<string>
  foundDate: string | null
  guideUnitId: string | null
  imgList: Generated<string[]>
  joinMode: Generated<string>
  memberMax: number | null
  reason: Generated<string>
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface CircleApply {
  applyBy: string | null
  applyName: Generated<string>
  applyReason: Generated<string>
  applyTime: Generated<string>
  auditBy: string | null
  auditName: Generated<string>
  auditTime: string | null
  caId: string
  caType: string
  ciAuthStatus: Generated<string>
  ciId: string
  content: Json | null
  cpiPersonId: string
  crResult: string | null
  /**
   * circle_star
   */
  crStar: string | null
  crYear: number | null
  differences: Generated<Json>
  materials: Generated<string[]>
  reason: Generated<string>
  schoolId: string
}

export interface CircleClass {
  ccId: string
  ccName: string
  ccSort: Generated<number>
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface CircleMember {
  ciId: string
  cmRole: Generated<string>
  cpiId: string
  joinTime: Generated<string>
  quitTime: string | null
  schoolId: string
  suId: string
}

export interface CircleReview {
  activityCount: Generated<number>
  caId: string
  ciId: string
  crResult: string
  /**
   * circle_star
   */
  crStar: string | null
  crYear: number
  reviewTime: Generated<string>
  schoolId: string
}

export interface CircleTeacher {
  ciId: string
  schoolId: string
  suId: string
}

export interface ClassTime {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  ctId: string
  ctName: string
  endAt: string
  /**
   * Monday of the first week of the term, from which weeks are counted
   */
  firstMonday: string
  placeText: Generated<string>
  scClassId: string
  schoolId: string
  /**
   * time of day, 08:00
   */
  startAt: string
  tmName: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  weekday: number
  weeks: number[]
}

export interface College {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  enable: Generated<string>
  scCode: string
  schoolId: string
  scId: string
  scLeader: Generated<string>
  scName: string
  scPhone: Generated<string>
  scShort: Generated<string>
  scSort: Generated<number>
  scType: Generated<string>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface Configuration {
  schoolId: string
  version: string
}

export interface ControlArea {
  caTarget: string
  caType: string
  schoolId: string
  srId: string
  suId: string
}

export interface CredentialStatus {
  bizId: string | null
  createTime: Generated<string>
  /**
   * the place, counted from 0 through all lists of the school
   */
  csNo: number
  moduleId: string | null
  /**
   * of a badge: the record of the ledger, with bizId and moduleId
   */
  recId: string | null
  schoolId: string
  /**
   * hours/credit/points the badge says, in hundredths
   */
  substance: Generated<string>
  suId: string
  /**
   * of a learner record: the transcript it was made of
   */
  tiId: string | null
}

export interface CredibilityLog {
  after: number
  before: number
  cgId: string
  change: number
  createTime: Generated<string>
  liId: string | null
  operatorId: string | null
  operatorName: string
  reason: string
  reasonCode: string
  restoreOf: string | null
  schoolId: string
  suId: string
}

export interface CreditLedger {
  bizId: string
  bizName: string
  clId: string
  clType: string
  clValue: number
  explain: Json
  grantedAt: Generated<string>
  grantedBy: string | null
  lsId: string
  moduleId: string
  occurTime: string
  reverseOf: string | null
  ruleVersion: Generated<number>
  schoolId: string
  source: string
  sqlId: string | null
  suId: string
}

export interface Curriculum {
  allowLevels: Generated<string[]>
  allowSup: Generated<string>
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  enable: Generated<string>
  lsCode: Generated<string>
  lsColor: Generated<string>
  lsFormScheme: Generated<string>
  lsIcon: Generated<string>
  lsId: string
  lsName: string
  lsPath: string[]
  lsPid: string | null
  lsSort: Generated<number>
  lsType: Generated<string>
  maxHours: number | null
  minHours: Generated<number>
  ownerRoleId: string | null
  required: Generated<string>
  schoolId: string
  starRule: Json | null
  supNote: Generated<string>
  supProofs: Generated<string[]>
  supWindow: Json | null
  termCap: number | null
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface Department {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  isGuideUnit: Generated<string>
  schoolId: string
  sdCode: string
  sdId: string
  sdLeaderId: string | null
  sdName: string
  sdPid: string | null
  sdSort: Generated<number>
  sdType: Generated<string>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface DepartmentUser {
  memberSort: Generated<number>
  post: Generated<string>
  schoolId: string
  sdId: string
  sdSort: Generated<number>
  suId: string
}

export interface Erasure {
  announced: number
  /**
   * who was announced, null once it has been carried out and where only their number was kept
   */
  announcedIds: string[] | null
  announceTime: string
  doneTime: string | null
  dueTime: string
  erased: Generated<number>
  erId: string
  /**
   * erasure_kind
   */
  erKind: string
  schoolId: string
}

export interface Evaluation {
  abilityRules: Generated<Json>
  awardRules: Generated<Json>
  baseHours: Generated<number>
  bestOnlyGroup: Generated<string>
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  credit: Generated<number>
  current: Generated<boolean>
  effectFrom: Generated<string>
  effectTo: string | null
  enable: Generated<string>
  esId: string
  esLessonLevel: string
  esName: Generated<string>
  hourCap: number | null
  lsId: string
  modeRules: Generated<Json>
  points: Generated<number>
  schoolId: string
  teamRules: Generated<Json>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  versionNo: Generated<number>
  yearCap: number | null
}

export interface ExamWeek {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  ewEnd: string
  ewId: string
  ewName: string
  ewStart: string
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface File {
  createTime: Generated<string>
  fileId: string
  fileName: string
  fileState: Generated<string>
  isPrivate: Generated<boolean>
  kind: string
  mime: string
  ownerId: string | null
  schoolId: string
  sha256: string
  size: number
  storeKey: string
  uses: Generated<number>
}

export interface GraduationBatch {
  collegeIds: Generated<string[]>
  createBy: string
  createName: string
  createTime: string
  delayCount: Generated<number>
  doneTime: string | null
  expireTime: string
  gbId: string
  gbNo: string | null
  gbStatus: Generated<string>
  goal: Json
  grades: string[]
  graduateCount: Generated<number>
  metCount: number
  reason: Generated<string>
  schoolId: string
  skipped: Generated<Json>
  total: number
  undoCount: Generated<number>
  undoName: Generated<string>
  undoReason: Generated<string>
  undoTime: string | null
  unmet: string | null
}

export interface GraduationRow {
  accountAfter: string | null
  accountBefore: string
  gaps: Json
  gbId: string
  hours: number
  keptWhy: Generated<string>
  met: boolean
  schoolId: string
  statusAfter: string | null
  statusBefore: string
  suId: string
  suiNumber: string
}

export interface Holiday {
  hdDate: string
  hdKind: Generated<string>
  hdName: string
  schoolId: string
}

export interface IdentityLogout {
  expireTime: string
  noticeHash: Buffer
  providerId: string
  schoolId: string
}

export interface IdentityProvider {
  /**
   * who may use it: student, teacher, administrator
   */
  audience: string[]
  createTime: string
  enabled: Generated<boolean>
  kind: string
  name: string
  providerId: string
  schoolId: string
  /**
   * by which this program proves itself to the provider
   */
  sealedSecret: Buffer | null
  settings: Json
  sort: Generated<number>
  updateTime: string
  version: Generated<number>
  /**
   * of which end of its metadata the administrators have been told, and how many days before, as 2027-01-03/30
   */
  warnedOf: Generated<string>
}

export interface IdentityTry {
  challenge: Buffer
  codeHash: Buffer | null
  expireTime: string
  /**
   * it ends with a binding, never with a session
   */
  isBinding: Generated<boolean>
  origin: string
  providerId: string
  schoolId: string
  /**
   * null once the provider has answered
   */
  stateHash: Buffer | null
  subject: string | null
  subjectHash: Buffer | null
  suId: string | null
  ticketHash: Buffer | null
  tryId: string
}

export interface ImportBatch {
  commitTime: string | null
  conflictCount: Generated<number>
  createBy: string
  createName: string
  createTime: string
  errorId: string
  fault: Json | null
  faultCount: Generated<number>
  fileName: string
  heads: Generated<Json>
  hintCount: Generated<number>
  ibId: string
  ibKind: string
  ibStatus: Generated<string>
  matched: Generated<string>
  newCount: Generated<number>
  newOnly: Generated<string>
  notes: Generated<Json>
  rowCount: Generated<number>
  sameCount: Generated<number>
  schoolId: string
  skipCount: Generated<number>
  target: Generated<Json>
  top: Buffer | null
  undoTime: string | null
  updateCount: Generated<number>
}

export interface ImportFile {
  content: Buffer
  ibId: string
  schoolId: string
}

export interface ImportMatch {
  columns: Json
  headKey: string
  ibKind: string
  schoolId: string
  suId: string
  updateTime: string
}

export interface ImportRow {
  cells: Json
  changes: Generated<Json>
  faults: Generated<Json>
  ibId: string
  row: Json | null
  rowNo: number
  schoolId: string
  verdict: string
}

export interface ImportSource {
  changeLimit: number
  createBy: string | null
  createName: string
  createTime: string
  isEnabled: Generated<string>
  isId: string
  isKind: string
  isName: string
  isWay: string
  leaverLimit: number
  leaverRule: string
  nextRun: string | null
  /**
   * with whose rights it runs
   */
  ownerId: string
  /**
   * where the data are, by the way: fileName, address, format, jsonPath, viewName, columns
   */
  place: Json
  runAt: Generated<string>
  schoolId: string
  secret: Buffer | null
  updateBy: string | null
  updateTime: string
  version: Generated<number>
}

export interface ImportSourceRun {
  counts: Json | null
  createName: string
  /**
   * SHA-256 of what was fetched, so that the same data are not looked at twice
   */
  digest: Generated<string>
  endTime: string | null
  fault: Generated<string>
  fileName: Generated<string>
  ibId: string | null
  isByHand: string
  isId: string
  leavers: Generated<Json>
  runId: string
  runStatus: string
  schoolId: string
  startTime: string
}

export interface ImportUndo {
  ibId: string
  recordId: string | null
  rowNo: number
  schoolId: string
  undo: Json
  version: number | null
}

export interface Information {
  bizId: Generated<string>
  bizType: Generated<string>
  createBy: string | null
  createName: string
  iiContent: string
  iiId: string
  iiTitle: string
  iiType: Generated<string>
  link: Generated<string>
  outboxDeleted: Generated<string>
  recalled: Generated<string>
  schoolId: string
  sendTime: Generated<string>
}

export interface InformationReceiver {
  iiId: string
  inboxDeleted: Generated<string>
  isRead: Generated<string>
  iurId: string
  readTime: string | null
  schoolId: string
  suId: string
}

export interface Installation {
  createTime: Generated<string>
  inKey: string
  inValue: string
}

export interface Job {
  again: Generated<boolean>
  attempts: Generated<number>
  claim: string | null
  createBy: string | null
  createTime: Generated<string>
  endTime: string | null
  error: Generated<string>
  heartbeat: string | null
  jobId: string
  jobKey: string | null
  jobKind: string
  jobStatus: Generated<string>
  payload: Generated<Json>
  progress: Generated<number>
  result: Json | null
  runAt: Generated<string>
  runner: Generated<string>
  schoolId: string
}

export interface Lesson {
  applyCount: Generated<number>
  applyEnd: string | null
  /**
   * asked of whoever registers, one a line
   */
  applyQuestions: Generated<string>
  applyStart: string | null
  applyUnit: Generated<string>
  applyWay: Generated<string>
  atId: string | null
  campus: Generated<string>
  changeId: string | null
  completeTime: string | null
  contactName: Generated<string>
  contactPhone: Generated<string>
  coOrganisers: Generated<string>
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  delFlag: Generated<string>
  endTime: string
  esId: string | null
  exitReason: Generated<string>
  isQuestionedAudit: Generated<string>
  itemCategory: Generated<string>
  lateMinutes: Generated<number>
  liAttachments: Generated<string[]>
  liCircleId: string | null
  liCollegeId: string | null
  liCredit: Generated<number>
  liDepartmentId: string | null
  liExt: Generated<Json>
  liForm: Generated<string>
  liHours: Generated<number>
  liId: string
  liIntro: Generated<string>
  liKind: Generated<string>
  liLabels: Generated<string[]>
  liLevel: string
  liName: string
  liNo: string
  liPlan: string | null
  liPoints: Generated<number>
  liPoster: string | null
  liPrincipalId: string
  liPrincipalName: Generated<string>
  liPublictyEdate: string | null
  liPublictySdate: string | null
  liScheme: Generated<string>
  liSponsorName: Generated<string>
  liStatus: Generated<string>
  lsId: string
  lsPath: string[]
  minAttendRate: Generated<number>
  organiserIds: Generated<string[]>
  parentLiId: string | null
  passCount: Generated<number>
  pendingCount: Generated<number>
  pickTime: string | null
  placeText: Generated<string>
  publictyDays: Generated<number>
  publishAt: string | null
  publishBy: string | null
  publishTime: string | null
  quota: number
  quotaByCollege: Generated<Json>
  quotaUnit: Generated<string>
  rangeCircles: Generated<string[]>
  rangeClasses: Generated<string[]>
  rangeColleges: Generated<string[]>
  rangeGrades: Generated<string[]>
  rangeMajors: Generated<string[]>
  rangePolitical: Generated<string[]>
  rangeSexes: Generated<string[]>
  /**
   * students who have a place as soon as it is published
   */
  reservedIds: Generated<string[]>
  resultCount: Generated<number>
  resultSummary: Generated<string>
  schoolId: string
  signCount: Generated<number>
  signLat: number | null
  signLng: number | null
  signOutOn: Generated<string>
  signRadius: number | null
  signType: Generated<string[]>
  startTime: string
  teamMax: number | null
  teamMin: number | null
  turnoutFor: string | null
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  waitlistOn: Generated<string>
  /**
   * what participants are to hand in, in words blank: nothing
   */
  workRequest: Generated<string>
}

export interface LessonChange {
  columns: Json
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  differences: Json
  endTime: string | null
  filesAfter: Generated<string[]>
  filesBefore: Generated<string[]>
  lcId: string
  lcStatus: Generated<string>
  liId: string
  reason: Generated<string>
  schoolId: string
  sessions: Json | null
  signerIds: string[] | null
  teacherIds: string[] | null
}

export interface LessonDraw {
  committedTime: string
  digest: string
  drawnBy: Generated<string>
  drawnTime: string | null
  liId: string
  places: number | null
  ranked: Generated<Json>
  schoolId: string
  seed: string
}

export interface LessonLevel {
  enable: Generated<string>
  llFactor: Generated<number>
  llId: string
  llName: string
  llSort: Generated<number>
  schoolId: string
}

export interface LessonPerson {
  liId: string
  lpRole: string
  schoolId: string
  suId: string
}

export interface LessonSession {
  codeSecret: Buffer
  endTime: string
  liId: string
  lseNo: number
  placeText: Generated<string>
  schoolId: string
  startTime: string
}

export interface LoginCounter {
  counterKey: string
  failures: number
  lockedUntil: string | null
  locks: Generated<number>
  windowStart: string
}

export interface LoginDay {
  agent: Generated<string>
  hours: number[]
  ip: Generated<string>
  lastTime: string
  logDay: string
  schoolId: string
  suId: string
  times: number
}

export interface Major {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  eduLevel: Generated<string>
  schoolId: string
  scId: string
  scSort: Generated<number>
  smCode: string
  smId: string
  smName: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  years: Generated<number>
}

export interface MessagePreference {
  messageKind: string
  mpMode: string
  odChannel: string
  schoolId: string
  suId: string
  updateTime: string
}

export interface MessageTemplate {
  content: string
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  messageKind: string
  schoolId: string
  subject: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface MigrationProgress {
  /**
   * null while it is not through
   */
  endTime: string | null
  /**
   * key of the last row that was looked at null at the beginning of a pass
   */
  lastKey: Json | null
  name: string
  passNumber: Generated<number>
  rowCount: Generated<number>
  startTime: Generated<string>
}

export interface News {
  attachments: Generated<string[]>
  cancelReason: Generated<string>
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  delFlag: Generated<string>
  imgList: Generated<string[]>
  niAuthor: Generated<string>
  niClass: Generated<string>
  niCollegeId: string | null
  niCover: string | null
  niDetail: Generated<string>
  niId: string
  niIsShow: Generated<string>
  niLink: Generated<string>
  niSource: Generated<string>
  niStatus: Generated<string>
  niSubtitle: Generated<string>
  niTitle: string
  niTop: Generated<string>
  ntId: string
  publishTime: string | null
  readCount: Generated<number>
  relIds: Generated<string[]>
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface NewsType {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  ntId: string
  ntName: string
  ntSort: Generated<number>
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface OutboxDelivery {
  /**
   * HTTP status of the last answer null where none came
   */
  answerCode: number | null
  answerText: Generated<string>
  attempts: Generated<number>
  createTime: Generated<string>
  /**
   * the delivery that it was gathered into
   */
  digestId: string | null
  dlId: string
  dlStatus: Generated<string>
  endTime: string | null
  eventData: Json
  eventId: string
  eventKind: string
  isUrgent: Generated<boolean>
  /**
   * the copy in the inbox that it tells of
   */
  iurId: string | null
  lastTime: string | null
  /**
   * by which the service is asked whether it has arrived null once that is known
   */
  laterId: string | null
  /**
   * no attempt before null: at once
   */
  nextTime: string | null
  odId: string
  /**
   * since when it waits: the message, or sending again
   */
  queueTime: Generated<string>
  schoolId: string
  /**
   * what stands nowhere else, until it has ended
   */
  sealedContent: Buffer | null
  /**
   * who is told null: an event for another system
   */
  suId: string | null
  /**
   * where it went, masked
   */
  target: Generated<string>
}

export interface OutboxDestination {
  address: string
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  /**
   * HH:mm of each day
   */
  digestAt: Generated<string>
  /**
   * of them those that are gathered unless a person wants otherwise
   */
  digestKinds: Generated<string[]>
  enable: Generated<string>
  eventKinds: Generated<string[]>
  failedSince: string | null
  /**
   * attempts since the last one that succeeded
   */
  failures: Generated<number>
  /**
   * whether the administrators know that it fails
   */
  isTold: Generated<boolean>
  /**
   * which messages go out by it at all
   */
  messageKinds: Generated<string[]>
  odChannel: string
  odId: string
  odName: string
  /**
   * no attempt before
   */
  pausedUntil: string | null
  /**
   * HH:mm from which only urgent messages go out empty: no quiet hours
   */
  quietFrom: Generated<string>
  quietTo: Generated<string>
  schoolId: string
  sealedSecret: Buffer | null
  /**
   * of a message channel, by the way: host, base address, sender
   */
  settings: Generated<Json>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface OverCap {
  createBy: string
  createName: string
  createTime: string
  hours: number
  ocId: string
  reason: string
  schoolId: string
  suId: string
  tmEnd: string
  tmName: string
  tmStart: string
}

export interface PasswordHistory {
  passwordHash: string
  schoolId: string
  setTime: Generated<string>
  suId: string
}

export interface Person {
  areaId: string | null
  birth: string | null
  blackUntil: string | null
  cityId: string | null
  /**
   * when what a graduate could be reached by was erased
   */
  contactsErased: string | null
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  delFlag: Generated<string>
  /**
   * why nothing of a graduate may be erased empty: nothing speaks against it
   */
  holdReason: Generated<string>
  /**
   * when name and number became pseudonyms
   */
  identityErased: string | null
  importBatchId: string | null
  isVolunteerRegistered: Generated<string>
  leagueJoinDate: string | null
  majorId: string | null
  partyJoinDate: string | null
  post: string | null
  provinceId: string | null
  remark: string | null
  scClassId: string | null
  schoolId: string
  specialty: string | null
  suiAddress: string | null
  suiCampus: string | null
  suiCollegeId: string | null
  suiCredibility: Generated<number>
  suId: string
  suiDorm: string | null
  suiEduLevel: string | null
  suiEmail: string | null
  suiEnterDate: string | null
  suiGrade: string | null
  suiGraduateDate: string | null
  suiIdCard: Buffer | null
  suiIdCardHash: Buffer | null
  suiIdType: string | null
  suiName: string
  suiNation: string | null
  suiNumber: string
  suiPhone: Buffer | null
  suiPhoneHash: Buffer | null
  suiPhoto: string | null
  suiPolitical: string | null
  suiSex: Generated<string>
  suiStatus: Generated<string>
  suiStudyYears: number | null
  suiType: string
  teacherType: string | null
  title: string | null
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  volunteerNo: string | null
  warnLevel: Generated<string>
}

export interface PersonErasure {
  createBy: string | null
  createName: Generated<string>
  createTime: string
  /**
   * why, without the name and numbers of the person
   */
  reason: string
  schoolId: string
  suId: string
}

export interface PersonIdentity {
  createId: string
  createTime: string
  identityId: string
  /**
   * when somebody last signed in by it
   */
  lastTime: string | null
  providerId: string
  schoolId: string
  /**
   * what the provider calls the person, for good
   */
  subject: string
  suId: string
}

export interface Place {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  plCapacity: number
  plId: string
  plName: string
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface PlatformReader {
  createTime: Generated<string>
  endDate: string
  roleName: string
  schoolId: string
}

export interface Preference {
  pfKey: string
  pfValue: Json
  schoolId: string
  suId: string
  updateTime: Generated<string>
}

export interface PrivacyNotice {
  content: string
  publishBy: string
  publishName: string
  publishTime: string
  schoolId: string
  version: number
}

export interface ProcessBeat {
  beatTime: Generated<string>
  instance: string
  listenSilence: number | null
  /**
   * milliseconds, the 99th percentile since the last beat
   */
  loopDelay: number
  memory: number
  nodeVersion: string
  pbId: string
  pbKind: string
  poolBusy: number
  poolWaiting: number
  programVersion: string
  startTime: Generated<string>
}

export interface PublictyRound {
  endName: Generated<string>
  endReason: Generated<string>
  endTime: string | null
  liId: string
  liPublictyEdate: string
  liPublictySdate: string
  publictyStatus: Generated<string>
  roundNo: number
  schoolId: string
  startName: Generated<string>
  startTime: Generated<string>
}

export interface QualityLabel {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  enable: Generated<string>
  fullScore: Generated<number>
  levels: Generated<Json>
  platformId: string | null
  schoolId: string
  sqlCode: Generated<string>
  sqlColor: Generated<string>
  sqlDesc: Generated<string>
  sqlId: string
  sqlName: string
  sqlPid: string | null
  sqlSort: Generated<number>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface QualityModel {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  schoolId: string
  updateBy: string | null
  updateName: Generated<string>
  updateTime: Generated<string>
  version: Generated<number>
}

export interface QualityModelLabel {
  qmColor: Generated<string>
  qmMax: number
  qmName: string
  qmSort: number
  schoolId: string
  sqlId: string
}

export interface Question {
  acceptName: Generated<string>
  acceptTime: string | null
  afterResult: Generated<string>
  beforeResult: Generated<string>
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  credibilityDelta: Generated<number>
  creditDelta: Generated<number>
  deadline: string
  delFlag: Generated<string>
  handleName: Generated<string>
  handleTime: string | null
  importBatchId: string | null
  liId: string | null
  lisId: string | null
  opinion: Generated<string>
  outcomeName: Generated<string>
  outcomeOpinion: Generated<string>
  outcomeTime: string | null
  qAward: Generated<string>
  qContent: string
  qId: string
  qOutcome: string | null
  qProofs: Generated<string[]>
  qStatus: Generated<string>
  qType: string
  reporterSuId: string
  schoolId: string
  source: Generated<string>
  targetSuId: string | null
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface RecoveryCode {
  codeHash: Buffer
  createTime: string
  schoolId: string
  suId: string
  usedTime: string | null
}

export interface Registration {
  adId: string | null
  /**
   * [{question, answer}], as it was asked then
   */
  applyAnswers: Generated<Json>
  applyFrom: Generated<string>
  applyTime: Generated<string>
  auditBy: string | null
  auditTime: string | null
  awardName: Generated<string>
  delFlag: Generated<string>
  drawNo: number | null
  importBatchId: string | null
  laCredit: Generated<number>
  laHours: Generated<number>
  laId: string
  laPoints: Generated<number>
  laResult: Generated<string>
  laSignStatus: Generated<string>
  laStars: number | null
  laStatus: Generated<string>
  liId: string
  partakeMode: Generated<string>
  refuseReason: Generated<string>
  remark: Generated<string>
  schoolId: string
  signBy: string | null
  signInTime: string | null
  signMethod: string | null
  signOutTime: string | null
  signReason: Generated<string>
  suId: string
  teamId: string | null
  teamRank: number | null
  teamSize: number | null
  updateTime: Generated<string>
  version: Generated<number>
  waitNo: number | null
  workFiles: Generated<string[]>
  workText: Generated<string>
  /**
   * when the work was handed in last null: none was
   */
  workTime: string | null
}

export interface RequestKey {
  answer: Buffer | null
  createTime: string
  inputHash: Buffer
  key: string
  schoolId: string
  suId: string
}

export interface ResetRequest {
  codeHash: Buffer
  createTime: string
  expireTime: string
  rqId: string
  schoolId: string
  /**
   * Sealed: the code and its person. Kept where somebody has to pass the code on, until it is used or has run out
   */
  sealedMessage: Buffer | null
  suId: string
  usedTime: string | null
}

export interface Role {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  dataScope: Generated<string>
  enable: Generated<string>
  permits: Generated<string[]>
  schoolId: string
  srCode: string
  srDesc: Generated<string>
  srId: string
  srName: string
  srSort: Generated<number>
  srType: Generated<string>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface RoleUser {
  endDate: string | null
  grantedBy: string | null
  grantTime: Generated<string>
  importBatchId: string | null
  schoolId: string
  srId: string
  suId: string
}

export interface SavedView {
  createTime: string
  listName: string
  schoolId: string
  suId: string
  svId: string
  svQuery: Json
  svTitle: string
}

export interface School {
  address: Generated<string>
  badgeFileId: string | null
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  dictVersion: Generated<number>
  features: Generated<Json>
  loginBgFileId: string | null
  logoFileId: string | null
  movedTo: Generated<string>
  /**
   * moving: a suspended school whose people may still look moved: it is at movedTo now empty: neither
   */
  moveState: Generated<string>
  phone: Generated<string>
  schCode: Generated<string>
  schMotto: Generated<string>
  schName: string
  schoolId: string
  sealFileId: string | null
  settings: Generated<Json>
  settingsVersion: Generated<number>
  /**
   * the name of the host under which people reach the school, without port null for none
   */
  signInHost: string | null
  /**
   * since when the school stands still null where it works
   */
  suspendedTime: string | null
  suspendedWhy: Generated<string>
  /**
   * sign-ins before this day have lost their address and browser
   */
  tracesGoneBefore: Generated<string>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface SchoolClass {
  counselorId: string | null
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  headTeacherId: string | null
  scClassCode: Generated<string>
  scClassGrade: string
  scClassId: string
  scClassName: string
  scClassSort: Generated<number>
  schoolId: string
  scId: string
  smId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface SchoolQuota {
  countTime: Generated<string>
  maxBytes: number | null
  maxConcurrent: number | null
  maxMessages: number | null
  maxPeople: number | null
  maxPerMinute: number | null
  maxTasks: number | null
  messageDay: Generated<string>
  schoolId: string
  usedBytes: Generated<number>
  /**
   * copies that people have sent on messageDay
   */
  usedMessages: Generated<number>
  usedPeople: Generated<number>
}

export interface SchoolRemoval {
  archiveName: string
  archiveSha256: string
  archiveTime: string
  /**
   * rows removed so far, by table
   */
  counts: Generated<Json>
  endTime: string | null
  files: Generated<number>
  removedBy: string
  schName: string
  schoolId: string
  startTime: string
}

export interface ServiceKey {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  endDate: string
  /**
   * SHA-256 of the key
   */
  keyHash: Buffer
  keyId: string
  keyName: string
  lastIp: Generated<string>
  lastTime: string | null
  /**
   * addresses it may come from any where empty
   */
  networks: Generated<string[]>
  perMinute: number
  /**
   * how the key begins, by which people know it
   */
  prefix: string
  revokeName: Generated<string>
  revokeTime: string | null
  schoolId: string
  srId: string
  /**
   * control area: kind and id of each target
   */
  targets: Generated<Json>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface Session {
  absoluteExpiry: string
  accessHash: Buffer
  agent: string
  createTime: string
  ip: string
  lastSeen: string
  /**
   * when a code of the second factor was given last
   */
  provenTime: string | null
  /**
   * by which provider it came null: by password
   */
  providerId: string | null
  refreshedTime: string | null
  refreshHash: Buffer | null
  schoolId: string
  sessionId: string
  /**
   * what the provider calls the person when it signs them out everywhere
   */
  subjectHash: Buffer | null
  suId: string
  /**
   * what the provider calls it when it signs somebody out
   */
  ticketHash: Buffer | null
  usedRefreshHash: Buffer | null
}

export interface SessionSign {
  /**
   * the browser, recognisable within its course only emptied by the terms of keeping
   */
  deviceHash: Buffer | null
  laId: string
  lseNo: number
  schoolId: string
  signBy: string | null
  signInTime: string
  signLat: number | null
  signLng: number | null
  signOutTime: string | null
}

export interface SignHint {
  /**
   * others on the same device, seconds or metres, by its kind
   */
  amount: number
  hintTime: string
  kind: string
  laId: string
  lseNo: number
  schoolId: string
}

export interface SigningKey {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  publicKey: Buffer
  retireName: Generated<string>
  retireReason: Generated<string>
  retireTime: string | null
  schoolId: string
  sealedKey: Buffer | null
  skId: string
  skStatus: Generated<string>
}

export interface SignTry {
  liId: string
  schoolId: string
  since: string
  suId: string
  tries: Generated<number>
}

export interface SlowStatement {
  lastTime: Generated<string>
  maxMs: number
  ssCall: string
  ssCount: number
  ssId: string
  ssText: string
  totalMs: number
}

export interface StatAbility {
  schoolId: string
  score: number
  sqlId: string
  suId: string
}

export interface StatChange {
  schoolId: string
  scKey: string | null
  scKind: string
  scNo: Generated<number>
}

export interface StatDay {
  credit: number
  hours: number
  item: string
  plId: number
  records: number
  schoolId: string
  stDay: string
  stKind: string
}

export interface StatEarned {
  abilities: Buffer
  records: Buffer
  schoolId: string
  suId: string
}

export interface StatItem {
  item: string
  itId: Generated<number>
  level: string
  path: string[]
  schoolId: string
}

export interface StatLesson {
  applied: number
  createBy: string | null
  decided: number
  decideSeconds: number
  firstPass: boolean | null
  granted: number
  hours: number
  liCircleId: string | null
  liCollegeId: string | null
  liDepartmentId: string | null
  liHours: Generated<number>
  liId: string
  liLevel: Generated<string>
  liPrincipalId: string | null
  liStatus: Generated<string>
  lsPath: Generated<string[]>
  members: Generated<number>
  membersSigned: Generated<number>
  passed: number
  publishTime: string | null
  qualified: number
  removed: Generated<boolean>
  schoolId: string
  sessions: number
  signed: number
  stamp: Generated<number>
  stars: number[]
  startTime: Generated<string>
  teachers: Generated<string[]>
}

export interface StatLogin {
  hours: number[]
  logDay: string
  people: number
  plId: number
  schoolId: string
  times: number
}

export interface StatLoginYear {
  days: string
  logYear: number
  schoolId: string
  suId: string
}

export interface StatPerson {
  activities: number
  blackUntil: string | null
  credibility: number
  credit: number
  enterDate: string | null
  hours: number
  lastTime: string | null
  met: boolean
  plId: number
  points: number
  political: string | null
  schoolId: string
  sex: string
  stamp: Generated<number>
  suId: string
  sups: number
}

export interface StatPlace {
  classId: string | null
  collegeId: string | null
  enrolled: boolean
  grade: string | null
  majorId: string | null
  plId: Generated<number>
  plKind: string
  schoolId: string
}

export interface StatSignIn {
  days: Buffer
  schoolId: string
  stamp: number
  suId: string
}

export interface StatState {
  asOf: string
  checkTime: string | null
  differences: number | null
  schoolId: string
  stamp: Generated<number>
  statVersion: Generated<number>
}

export interface StatSupplement {
  records: Buffer
  schoolId: string
  stamp: number
  suId: string
}

export interface StudentChange {
  /**
   * the import or graduation that caused it
   */
  causeId: string | null
  changeCause: string
  changeKind: string
  chId: string
  createTime: string
  /**
   * whether those who look after the new class know
   */
  isTold: Generated<boolean>
  newState: Json
  operatorId: string | null
  operatorName: string
  schoolId: string
  suId: string
  /**
   * status, grade, and id and name of college, major and class at that time
   */
  wasState: Json
}

export interface StudentWarning {
  calcTime: string
  finalGap: number
  gaps: Json
  have: Json
  helpCount: Generated<number>
  helperName: Generated<string>
  lastHelpTime: string | null
  lastPromptTime: string | null
  levelSince: string
  missing: Generated<string[]>
  promptCount: Generated<number>
  ruleKey: string
  schoolId: string
  suId: string
  termNo: number
  totalGap: number
  totalHave: number
  totalNeed: number
  warnLevel: string
  zeroTerm: Generated<boolean>
}

export interface Supplement {
  certNo: Generated<string>
  certUrl: Generated<string>
  completeTime: string | null
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  delFlag: Generated<string>
  esId: string | null
  importBatchId: string | null
  lisAward: Generated<string>
  lisAwardDetailId: string | null
  lisCredit: Generated<number>
  lisDesc: Generated<string>
  lisEndDate: string | null
  lisHours: Generated<number>
  lisHoursDeclared: number | null
  lisId: string
  lisLevel: string
  lisName: string
  lisObtainDate: string
  lisOrg: Generated<string>
  lisPartakeMode: Generated<string>
  lisPoints: Generated<number>
  lisProofs: Generated<string[]>
  lisPublictyEdate: string | null
  lisPublictySdate: string | null
  lisPublictyStatus: Generated<string>
  lisRank: number | null
  lisStartDate: string | null
  lisStatus: Generated<string>
  lisTeamSize: number | null
  lisType: string
  lsId: string
  lsPath: string[]
  passTime: string | null
  refuseReason: Generated<string>
  schoolId: string
  source: Generated<string>
  statusBefore: Generated<string>
  suId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface SupplementCount {
  countNo: Generated<number>
  deletedFlag: string
  lisLevel: string
  lisStatus: string
  lisType: string
  lsPath: string[]
  records: number
  schoolId: string
  source: string
}

export interface SupplementCredential {
  checkTime: Generated<string>
  /**
   * as it was handed in: JSON or JWT
   */
  content: string
  /**
   * SHA-256 of issuer and id, by which it is refused a second time
   */
  credentialKey: Buffer
  issuer: Generated<string>
  lisId: string
  schoolId: string
  /**
   * what was found at checkTime
   */
  verdict: Json
}

export interface Team {
  captainId: string
  confirmTime: string | null
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  joinCode: string
  liId: string
  schoolId: string
  teamId: string
  teamName: string
  teamStatus: Generated<string>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface TeamMember {
  joinTime: Generated<string>
  liId: string
  memberRank: number
  schoolId: string
  suId: string
  teamId: string
}

export interface Term {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  schoolId: string
  tmEnd: string
  tmId: string
  tmName: string
  tmStart: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface ThresholdBase {
  checkpointTerm: number
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  enable: Generated<string>
  grade: string
  lsId: string | null
  required: number
  schoolId: string
  tbId: string
  tbTarget: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  warn1: number
  warn2: number
  warn3: number
}

export interface ThresholdHelp {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  delFlag: Generated<string>
  helpContent: string
  helpDate: string
  helperName: string
  helpWay: string
  schoolId: string
  suId: string
  thId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface ThresholdPrompt {
  content: string
  createBy: string | null
  createName: Generated<string>
  gapText: string
  iiId: string | null
  promptTime: Generated<string>
  schoolId: string
  suId: string
  tpId: string
  warnLevel: string
}

export interface ThresholdRun {
  changedCount: number
  runTime: string
  schoolId: string
  studentCount: number
  worsenedCount: number
}

export interface TranscriptApplication {
  createTime: string
  decideBy: string | null
  decideName: Generated<string>
  decideReason: Generated<string>
  /**
   * when it was accepted, refused or withdrawn null while it is open
   */
  decideTime: string | null
  schoolId: string
  suId: string
  /**
   * how many on paper 0 for the file alone
   */
  taCopies: number
  taId: string
  taLang: string
  taPurpose: string
  taStatus: Generated<string>
  /**
   * what was issued upon it
   */
  tiId: string | null
}

export interface TranscriptBatch {
  createBy: string
  createName: Generated<string>
  createTime: Generated<string>
  doneCount: Generated<number>
  endTime: string | null
  faults: Generated<Json>
  fileSize: number | null
  jobId: string | null
  schoolId: string
  storeKey: string | null
  suIds: string[]
  tbFormat: string
  tbId: string
  tbOptions: Json
  tbStatus: Generated<string>
  tbTitle: string
  tiIds: Generated<string[]>
}

export interface TranscriptIssue {
  content: string
  digest: Buffer
  endTime: string | null
  issueBy: string | null
  issueName: Generated<string>
  issueTime: Generated<string>
  lastPrintTime: string | null
  printCount: Generated<number>
  proof: Json
  revokeName: Generated<string>
  revokeReason: Generated<string>
  schoolId: string
  serial: string
  skId: string
  substance: Buffer
  suId: string
  tiExtract: Generated<string>
  tiId: string
  tiLang: Generated<string>
  tiScope: Generated<string>
  tiStatus: Generated<string>
}

export interface TranscriptPrint {
  printBy: string | null
  printName: Generated<string>
  printTime: Generated<string>
  printWay: Generated<string>
  schoolId: string
  tbId: string | null
  tiId: string
  tpId: string
}

export interface Transformation {
  cap: number | null
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  decimals: Generated<number>
  effectTerm: string | null
  enable: Generated<string>
  fromType: string
  mode: string
  ratio: number | null
  rounding: Generated<string>
  schoolId: string
  scopeGrades: Generated<string[]>
  scopeLsIds: Generated<string[]>
  segments: Generated<Json>
  toType: string
  trDesc: Generated<string>
  trId: string
  trName: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
}

export interface TrustedDevice {
  agent: string
  createTime: string
  deviceId: string
  expireTime: string
  ip: string
  lastUsed: string
  schoolId: string
  suId: string
  tokenHash: Buffer
}

export interface WarningTerm {
  classId: string | null
  collegeId: string | null
  grade: string | null
  level1: number
  level2: number
  level3: number
  majorId: string | null
  schoolId: string
  tmName: string
  tmStart: string
  total: number
  wtId: Generated<string>
}

export interface Workflow {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  isDefault: Generated<string>
  levels: Generated<string[]>
  lsIds: Generated<string[]>
  needCreditOnly: Generated<string>
  roleIds: Generated<string[]>
  schoolId: string
  selfPass: Generated<string>
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  wfcId: string
  wfDesc: Generated<string>
  wfIcon: Generated<string>
  wfId: string
  wfName: string
  wfStatus: Generated<string>
  wfType: string
  wfVersion: Generated<number>
}

export interface WorkflowCategory {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  schoolId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  wfcId: string
  wfcName: string
  wfcSort: Generated<number>
}

export interface WorkflowChecker {
  schoolId: string
  wfcCheckerId: string
  wfcNodeName: Generated<string>
  wfcSort: Generated<number>
  wfsId: string
}

export interface WorkflowSample {
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  credit: Generated<number>
  expected: Json
  liLevel: string
  lsId: string
  schoolId: string
  suId: string
  updateBy: string | null
  updateTime: Generated<string>
  version: Generated<number>
  wfId: string
  wsId: string
  wsName: string
}

export interface WorkflowStep {
  allowAdd: Generated<string>
  allowTransfer: Generated<string>
  canReject: Generated<string>
  minCredit: number | null
  noApproverPolicy: Generated<string>
  schoolId: string
  timeoutAction: Generated<string>
  timeoutDays: number | null
  timeoutHours: number | null
  timeoutRoleId: string | null
  wfId: string
  wfsCheckerType: string
  wfsId: string
  wfsNodeName: string
  wfsSort: number
  wfsStepName: string
  wfsStepType: string
}

export interface WorkflowVersion {
  content: Json
  createBy: string | null
  createName: Generated<string>
  createTime: Generated<string>
  schoolId: string
  wfId: string
  wfVersion: number
}

export interface DB {
  account: Account
  activationCode: ActivationCode
  alarm: Alarm
  approval: Approval
  approvalContent: ApprovalContent
  approvalDelegation: ApprovalDelegation
  approvalOpinion: ApprovalOpinion
  approvalTask: ApprovalTask
  auditArchive: AuditArchive
  auditLog: AuditLog
  auditSeal: AuditSeal
  awardDetail: AwardDetail
  awardTemplate: AwardTemplate
  backgroundItem: BackgroundItem
  backgroundTask: BackgroundTask
  backupRun: BackupRun
  calendarFeed: CalendarFeed
  circle: Circle
  circleApply: CircleApply
  circleClass: CircleClass
  circleMember: CircleMember
  circleReview: CircleReview
  circleTeacher: CircleTeacher
  classTime: ClassTime
  college: College
  configuration: Configuration
  controlArea: ControlArea
  credentialStatus: CredentialStatus
  credibilityLog: CredibilityLog
  creditLedger: CreditLedger
  curriculum: Curriculum
  department: Department
  departmentUser: DepartmentUser
  erasure: Erasure
  evaluation: Evaluation
  examWeek: ExamWeek
  file: File
  graduationBatch: GraduationBatch
  graduationRow: GraduationRow
  holiday: Holiday
  identityLogout: IdentityLogout
  identityProvider: IdentityProvider
  identityTry: IdentityTry
  importBatch: ImportBatch
  importFile: ImportFile
  importMatch: ImportMatch
  importRow: ImportRow
  importSource: ImportSource
  importSourceRun: ImportSourceRun
  importUndo: ImportUndo
  information: Information
  informationReceiver: InformationReceiver
  installation: Installation
  job: Job
  lesson: Lesson
  lessonChange: LessonChange
  lessonDraw: LessonDraw
  lessonLevel: LessonLevel
  lessonPerson: LessonPerson
  lessonSession: LessonSession
  loginCounter: LoginCounter
  loginDay: LoginDay
  major: Major
  messagePreference: MessagePreference
  messageTemplate: MessageTemplate
  migrationProgress: MigrationProgress
  news: News
  newsType: NewsType
  outboxDelivery: OutboxDelivery
  outboxDestination: OutboxDestination
  overCap: OverCap
  passwordHistory: PasswordHistory
  person: Person
  personErasure: PersonErasure
  personIdentity: PersonIdentity
  place: Place
  platformReader: PlatformReader
  preference: Preference
  privacyNotice: PrivacyNotice
  processBeat: ProcessBeat
  publictyRound: PublictyRound
  qualityLabel: QualityLabel
  qualityModel: QualityModel
  qualityModelLabel: QualityModelLabel
  question: Question
  recoveryCode: RecoveryCode
  registration: Registration
  requestKey: RequestKey
  resetRequest: ResetRequest
  role: Role
  roleUser: RoleUser
  savedView: SavedView
  school: School
  schoolClass: SchoolClass
  schoolQuota: SchoolQuota
  schoolRemoval: SchoolRemoval
  serviceKey: ServiceKey
  session: Session
  sessionSign: SessionSign
  signHint: SignHint
  signingKey: SigningKey
  signTry: SignTry
  slowStatement: SlowStatement
  statAbility: StatAbility
  statChange: StatChange
  statDay: StatDay
  statEarned: StatEarned
  statItem: StatItem
  statLesson: StatLesson
  statLogin: StatLogin
  statLoginYear: StatLoginYear
  statPerson: StatPerson
  statPlace: StatPlace
  statSignIn: StatSignIn
  statState: StatState
  statSupplement: StatSupplement
  studentChange: StudentChange
  studentWarning: StudentWarning
  supplement: Supplement
  supplementCount: SupplementCount
  supplementCredential: SupplementCredential
  team: Team
  teamMember: TeamMember
  term: Term
  thresholdBase: ThresholdBase
  thresholdHelp: ThresholdHelp
  thresholdPrompt: ThresholdPrompt
  thresholdRun: ThresholdRun
  transcriptApplication: TranscriptApplication
  transcriptBatch: TranscriptBatch
  transcriptIssue: TranscriptIssue
  transcriptPrint: TranscriptPrint
  transformation: Transformation
  trustedDevice: TrustedDevice
  warningTerm: WarningTerm
  workflow: Workflow
  workflowCategory: WorkflowCategory
  workflowChecker: WorkflowChecker
  workflowSample: WorkflowSample
  workflowStep: WorkflowStep
  workflowVersion: WorkflowVersion
}
