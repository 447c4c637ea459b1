import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entriesOf } from './contract/core/codes/code-list.ts'
import * as outcomes from './contract/core/codes/outcomes.ts'
import * as platform from './contract/core/codes/platform.ts'
import * as programme from './contract/core/codes/programme.ts'
import * as rules from './contract/core/codes/rules.ts'
import * as school from './contract/core/codes/school.ts'
import * as signing from './contract/core/codes/signing.ts'
import * as teams from './contract/core/codes/teams.ts'
import { dictionary } from './contract/core/dictionary.ts'

const lists: Record<string, Record<string, string>> = {
  ...outcomes,
  ...platform,
  ...programme,
  ...rules,
  ...school,
  ...signing,
  ...teams,
}

/**
 * The fields that hold a code, by the list it is of. Words that mean several things, such as `status`, are left to the
 * reader.
 */
const fields: Record<string, string> = {
  applyStatus: 'laStatus',
  applyUnit: 'applyUnit',
  applyWay: 'applyWay',
  approvalStatus: 'insStatus',
  awardTier: 'adLevel',
  awardType: 'atType',
  accountStatus: 'suStatus',
  circleApplyType: 'caType',
  circleAuthStatus: 'ciAuthStatus',
  circleLevel: 'ciLevel',
  circleMemberRole: 'cmRole',
  circleReview: 'crResult',
  circleStatus: 'ciStatus',
  convertFrom: 'fromType',
  convertTo: 'toType',
  creditType: 'clType',
  credibilityReason: 'reasonCode',
  curriculumType: 'lsType',
  dataScope: 'dataScope',
  dayFigure: 'stKind',
  delegationStatus: 'dgStatus',
  deliveryStatus: 'dlStatus',
  eduLevel: 'suiEduLevel eduLevel',
  enableStatus: 'enable',
  fileState: 'fileState',
  flowCheckerType: 'wfsCheckerType checkerType',
  flowStatus: 'wfStatus',
  flowStepType: 'wfsStepType stepType',
  flowType: 'wfType',
  graduationStatus: 'gbStatus',
  helpWay: 'helpWay',
  holidayKind: 'hdKind',
  idDocument: 'suiIdType',
  importStatus: 'ibStatus',
  issueStatus: 'tiStatus',
  itemCategory: 'itemCategory',
  jobStatus: 'jobStatus',
  lessonChangeStatus: 'lcStatus',
  lessonForm: 'liForm',
  lessonKind: 'liKind',
  lessonPhase: 'liPhase',
  lessonStatus: 'liStatus',
  loginState: 'loginState',
  messageType: 'iiType',
  newsClass: 'niClass',
  newsStatus: 'niStatus',
  partakeMode: 'partakeMode lisPartakeMode',
  peopleKind: 'plKind',
  personSex: 'suiSex',
  personType: 'suiType suType',
  politicalStatus: 'suiPolitical',
  printBatchStatus: 'tbStatus',
  outboxChannel: 'odChannel',
  applicationStatus: 'taStatus',
  printWay: 'printWay',
  publictyStatus: 'publictyStatus lisPublictyStatus',
  questionOutcome: 'qOutcome',
  questionStatus: 'qStatus',
  questionType: 'qType',
  quotaType: 'quotaType',
  quotaUnit: 'quotaUnit',
  resultStatus: 'laResult',
  roleType: 'srType',
  rounding: 'rounding',
  signStatus: 'laSignStatus',
  signType: 'signType signMethod',
  signingKeyStatus: 'skStatus',
  supplementStatus: 'lisStatus',
  supplementTab: 'flagType',
  supplementType: 'lisType',
  taskStatus: 'taskStatus',
  teamRole: 'teamRole',
  teamStatus: 'teamStatus',
  teacherType: 'teacherType',
  timeoutAction: 'timeoutAction nextAction',
  warnLevel: 'warnLevel',
  yesNo: [
    'delFlag isRead niIsShow niTop isGuideUnit allowSup needProof isQuestionedAudit outboxDeleted inboxDeleted recalled',
    'required waitlistOn signOutOn',
  ].join(' '),
}
const listOf = new Map(Object.entries(fields).flatMap(([list, names]) => names.split(' ').map((name) => [name, list])))
const nameOf = (list: string, code: string) =>
  Object.entries(lists[list] ?? {}).find(([, known]) => known === code)?.[0]

/** A plain switch reads best in SQL's own words: `"delFlag" = '0'`. */
const plainInSql = new Set(['yesNo', 'enableStatus'])

const field = `(${[...listOf.keys()].join('|')})`
/** Where a bare code meets a field: compared, assigned or defaulted; in a query; in SQL; looked up in a list. */
const meetings = [
  { pattern: new RegExp(`\\b${field}(?: [!=]==|:| =| \\?\\?) \\(?\\[?'(\\w{1,2})'(?! \\|)`, 'g'), sql: false },
  { pattern: new RegExp(`'(?:\\w+\\.)?${field}', '(?:[!=<>]+|in|not in)', \\[?'(\\w{1,2})'`, 'g'), sql: false },
  { pattern: new RegExp(`"${field}" (?:=|<>|in|not in) \\(?'(\\w{1,2})'`, 'g'), sql: true },
  { pattern: new RegExp(`'(?:\\w+\\.)?${field}', '(?:not )?in', \\[[^\\]]*?'(\\w{1,2})'`, 'g'), sql: false },
  { pattern: new RegExp(`"${field}" (?:not )?in \\((?:[^()]|\\([^()]*\\))*?'(\\w{1,2})'`, 'g'), sql: true },
  { pattern: new RegExp(`case (?:\\w+\\.)?"${field}"\\s+when '(\\w{1,2})'`, 'g'), sql: true },
]

/** The places in a source where a bare code stands for a named one, each with what to write. */
function bareCodes(text: string): string[] {
  return meetings.flatMap(({ pattern, sql }) =>
    [...text.matchAll(pattern)].flatMap(([found, name, code]) => {
      const list = listOf.get(name!)!
      const constant = nameOf(list, code!)
      if (!constant || (sql && plainInSql.has(list))) return []
      const write = sql ? `\${sql.lit(${list}.${constant})}` : `${list}.${constant}`
      return [`${text.slice(0, text.indexOf(found)).split('\n').length}: ${found} -> write ${write}`]
    }),
  )
}

/**
 * Where a bare number is compared or looked up and no field says of what list it is. An amount that is zero is no code.
 */
const unnamed = [
  /(?<name>\w+)(?:\(\))?[!)]* [!=]== '(?<code>\d{1,2})'/g,
  /\bcase '(?<code>\d{1,2})':/g,
  /(?<=[{,]\s*|\[)'(?<code>\d{1,2})':/g,
  /\b(?:when|then|else) '(?<code>\d{1,2})'/g,
  /(?<name>\w+)" (?:=|<>|in|not in) \(?'(?<code>\d{1,2})'/g,
]
const amounts = new Set('gap step honesty liPoints minHours credit creditDelta totalNeed value'.split(' '))
const switches = new Set([...listOf].filter(([, list]) => plainInSql.has(list)).map(([name]) => name))

function unnamedCodes(text: string): string[] {
  return unnamed.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const { name = '', code } = match.groups!
      if ((code === '0' && amounts.has(name)) || (match[0].includes('"') && switches.has(name))) return []
      return [`${text.slice(0, match.index).split('\n').length}: ${match[0]}`]
    }),
  )
}

const root = resolve(import.meta.dirname)
/**
 * Migrations say what was so on their day; the lists themselves are where codes belong; the client written from the
 * specification alone knows nothing of them.
 */
const bareIsRight = /server\/migrations\/|server\/spec-client\/|contract\/core\/codes\//
/**
 * Tests and the demonstration are looked at by field only; a sheet and the environment say yes and no in words of their
 * own, and the catalogue of PostgreSQL has its own codes.
 */
const notTheProduct =
  /\.test\.tsx?$|\/fixtures\/|server\/(?:demo|testing)\/|^(?:e2e|bench|scripts)\/|server\/core\/(?:sheets|base|postgres)\//
const sources = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts'].flatMap((folder) => walk(join(root, folder)))

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(join(folder, entry.name)) : /\.tsx?$/.test(entry.name) ? [join(folder, entry.name)] : [],
  )
}

describe('codes have names', () => {
  test('every field’s list is a list of contract/core/codes', () =>
    expect(Object.keys(fields).filter((list) => !lists[list])).toEqual([]))
  test('no code stands bare beside its field', () =>
    expect(
      sources
        .filter((file) => !bareIsRight.test(file))
        .flatMap((file) => bareCodes(readFileSync(file, 'utf8')).map((place) => `${relative(root, file)}:${place}`)),
    ).toEqual([]))
  test('no code stands bare where the product compares or looks up', () =>
    expect(
      sources
        .filter((file) => !bareIsRight.test(file) && !notTheProduct.test(file))
        .flatMap((file) => unnamedCodes(readFileSync(file, 'utf8')).map((place) => `${relative(root, file)}:${place}`)),
    ).toEqual([]))
  test.each([
    [`if (row.liStatus === '30') return`, 'lessonStatus.published'],
    [`row?.ciStatus !== '9'`, 'circleStatus.dissolved'],
    [`{ laResult: '1', adId }`, 'resultStatus.passed'],
    [`const { applyWay = '2' } = form`, 'applyWay.review'],
    [`form.signType ?? ['5']`, 'signType.manual'],
    [`.where('t.taskStatus', '=', '0')`, 'taskStatus.pending'],
    [`.where('laStatus', 'in', ['0', '3'])`, 'applyStatus.pending'],
    [`sql\`l."liStatus" in ('60', '61')\``, 'sql.lit(lessonStatus.inNotice)'],
    [`delFlag: '0'`, 'yesNo.no'],
    [`.where('b.tbStatus', 'in', [printBatchStatus.waiting, '1'])`, 'printBatchStatus.running'],
    [`sql\`"jobStatus" in (${'${sql.lit(jobStatus.waiting)}'}, '1')\``, 'sql.lit(jobStatus.running)'],
    [`sql\`case p."suiType" when '1' then p."suiGrade" end\``, 'sql.lit(personType.student)'],
    [`{ flagType: '4' }`, 'supplementTab.deleted'],
    [`hdKind === '1'`, 'holidayKind.workday'],
  ])('%s is found', (text, constant) => expect(bareCodes(text).join()).toContain(constant))
  test.each([
    `row.liStatus === lessonStatus.published`,
    `where "delFlag" = '0' and "enable" = '1'`,
    `laResult: '1' | '2'`,
    `liStatus: '77'`,
  ])('%s is left alone', (text) => expect(bareCodes(text)).toEqual([]))
  test.each([
    `if (kind === '2') return`,
    `(await stateOf(id))!.state() !== '3'`,
    `const tones = { '1': 'finished', [issueStatus.revoked]: 'refused' }`,
    `switch (of) {\n  case '30': return 1 }`,
    `sql\`case when "uses" = 1 then '2' end\``,
    `sql\`x."kindOfIt" = '1'\``,
  ])('%s is found, whatever it is a code of', (text) => expect(unnamedCodes(text)).toHaveLength(1))
  test.each([`gap !== '0'`, `"delFlag" = '0' and "enable" <> '1'`, `{ count: '30' }`])(
    '%s is no code, or a plain switch',
    (text) => expect(unnamedCodes(text)).toEqual([]),
  )
})

describe('what is stored and sent', () => {
  /** The codes as they stand in databases and on the wire: a constant may be renamed, a code never changes. */
  const stored: Record<string, string> = {
    lesson_status: '0 10 11 20 30 40 41 50 60 61 70 80 90 91 92',
    lesson_phase: '1 2 3 4 5',
    lesson_kind: '1 2 3 4 5 6 7 8 9',
    lesson_form: '1 2 3 4 5',
    form_scheme: 'standard industry medical',
    lesson_label:
      'virtue-1 virtue-2 virtue-3 wisdom-1 wisdom-2 wisdom-3 wisdom-4 wisdom-5 body-1 body-2 beauty-1 beauty-2 work-1 work-2 work-3 general-1 general-2 general-3 general-4 general-5',
    medical_category: '1 2 3 4 5 6',
    item_category: '0 1 2',
    industry_field: 'A B C D E F G H I J K L M N O P Q R S T',
    cooperation_type: '1 2 3 4 5 6',
    project_stage: '1 2 3',
    module_attr: '1 2',
    apply_way: '1 2 3 5 6',
    apply_unit: '1 2',
    apply_status: '0 1 2 3 4 5 6 7',
    sign_type: '1 2 3 4 5 6',
    sign_status: '0 1 2 3 4 5 6 7',
    result_status: '0 1 2 3',
    partake_mode: '1 2 3 4 5 6 7 8 9 10 11',
    publicty_status: '0 1 2 3 4',
    task_status: '0 1 2 3 4 5 6 7 8',
    approval_status: '0 1 2 3 4',
    sup_type: '1 2 3 4 5 6 7 8 9 10 11 12',
    sup_source: '1 2 3',
    sup_status: '0 1 2 3 4 5 6 9',
    curriculum_type: '1 2 3',
    curriculum_icon:
      'flag compass heart bulb trophy idcard tool build book experiment team star smile global crown audio',
    sup_proof: '1 2 3 4 5',
    award_type: '1 2 3 4 5 6',
    award_tier: '1 2 3 4 5 6 9',
    quota_type: '0 1 2',
    quota_unit: '1 2',
    team_status: '0 1 2',
    team_role: '1 2',
    wf_type: '1 2',
    wf_node: 'PUBLISH SIGNUP SIGNIN RESULT PUBLICITY SUPPLEMENT',
    wf_step_type: '1 2 3 4 5 6',
    wf_checker_type: '1 2 3 4 5 6 7 8 9 10 11 12',
    no_approver_policy: 'block admin skip',
    timeout_action: '0 1 2 3 4',
    reject_target: 'start prev any',
    flow_status: '2 1 0',
    sex: '1 2 0 9',
    political: '01 02 03 04 05 06 07 08 09 10 11 12 13',
    id_type: '1 2 3 4',
    student_status: '1 2 3 4 5 6 7',
    teacher_status: '1 2 3',
    account_status: '1 0 2',
    edu_level: '1 2 3 4',
    teacher_title: '1 2 3 4 5 6 7 9',
    teacher_type: '1 2 3 4',
    department_type: '1 2 3 4 5',
    data_scope: '1 2 3 4 5 6 9',
    role_type: '1 2',
    credit_type: '1 2 3 4 5',
    convert_from: '1 2 3 4 5',
    convert_to: '1 2 3',
    convert_mode: '1 2 3',
    rounding: '1 2 3',
    question_type: '1 2 3 4 5',
    question_status: '0 1 2 3 4 5',
    question_outcome: '1 2 3 4',
    credibility_reason: '1 2 3 4 5 6 7 8',
    enable_status: '1 0',
    yes_no: '1 0',
    import_verdict: 'fault conflict new update same skip',
    import_status: '0 1 2 3 4 5 6 7 8',
    circle_star: '5 4 3 1',
    study_years: '2 3 4 5 6 7 8',
    student_change_kind:
      'transferCollege transferMajor transferClass transferGrade reorganise leave retain enlist delay return withdraw graduate restore revoke',
    student_change_cause: 'form import source graduation undo',
    source_kind: 'student teacher college major class department departmentUser timetable',
    source_way: 'folder sftp http scim database',
    source_format: 'csv xlsx json',
    leaver_rule: 'tell suspend withdraw',
    source_run_status: 'running unchanged done waiting failed discarded undone',
    import_type:
      'college major class department departmentUser student teacher roleUser leagueSecretary circleMember lesson question lessonApply signIn supplement supplementAward threshold timetable',
    export_type: 'xlsx csv pdf docx zip',
    circle_status: '1 0 2 9',
    circle_auth_status: '0 1 2 3',
    circle_apply_type: '1 2 3 4 5',
    circle_member_role: '1 2 3 4 5',
    circle_level: '1 2',
    circle_join_mode: '1 2 3',
    circle_review: '1 2 3',
    news_status: '0 1 2',
    news_class: '1 2 3 4',
    delivery_status: '0 1 2 3 4 5 6 7',
    message_channel: 'mail wecom dingtalk sms',
    message_kind: '1 2 3 4 5 recovery digest test',
    message_mode: 'now digest off',
    mail_security: 'tls starttls plain',
    sms_method: 'POST GET',
    sms_body: 'json form xml',
    user_by: 'number account',
    key_state: '1 2 3',
    audit_kind:
      'school term holiday settings lesson person role college major schoolClass department curriculum evaluation qualityLabel qualityModel awardTemplate workflow workflowCategory delegation lessonLevel transformation supplement question transcript information importSource import export background file session permit audit graduation threshold circle circleClass news newsType webhook serviceKey messageChannel',
    audit_result: 'ok refused',
    year_verdict: '0 1 2 3',
    warn_level: '0 1 2 3',
    help_way: '1 2 3 4 9',
    msg_type: '1 2 3 4 5',
  }
  test('is what it always was', () =>
    expect(
      Object.fromEntries(
        Object.entries(dictionary).map(([type, entries]) => [type, entries.map(([code]) => code).join(' ')]),
      ),
    ).toEqual(stored))
  test('is what it always was where the service gives no dictionary out', () => {
    const given = new Set<unknown>(Object.values(dictionary))
    const others = Object.entries(lists).filter(([, list]) => !given.has(entriesOf(list as never)))
    expect(Object.fromEntries(others.map(([name, list]) => [name, Object.values(list).join(' ')]))).toEqual({
      alarmKind: 'failedJobs lateJobs failingJobs disk backup walArchive quota quotas',
      backgroundItemStatus: '0 1 2',
      backgroundKind: 'act export import print',
      backgroundStatus: '0 1 2 3 4 5',
      backupKind: 'backup base drill',
      backupStatus: '0 1 2',
      dayFigure: 'L S O A',
      delegationStatus: '0 1 2',
      erasureKind: '1 2',
      fileState: '0 1 2',
      graduationStatus: '0 1 2',
      holidayKind: '0 1',
      issueStatus: '1 2 3',
      applicationStatus: '0 1 2 3',
      jobStatus: '0 1 2 3 4',
      lessonChangeStatus: '0 1 2 3 4',
      lessonPersonRole: 'teacher signer signUpChecker signInChecker',
      lessonLevel: '1 2 3 4 5 6 7 8',
      loginState: '1 7 30 ever 0 all',
      peopleKind: '1 2 3',
      personType: '1 2 3',
      printBatchStatus: '0 1 2 3 4 5',
      outboxChannel: 'webhook',
      printWay: '1 2 3',
      processKind: 'main web',
      recordStatus: '1 2 3',
      signHint: 'device forwarded far offline',
      signingKeyStatus: '1 0',
      starUnit: '1 2',
      supplementTab: '0 1 2 3 4',
    })
  })
  test('is told once in each list', () => {
    for (const entries of Object.values(dictionary))
      expect(new Set(entries.map(([code]) => code)).size).toBe(entries.length)
  })
  test('a name stands for the code whose label says the same', () => {
    const label = (type: keyof typeof dictionary, code: string) =>
      dictionary[type].find(([known]) => known === code)?.[1]
    expect(label('lesson_status', programme.lessonStatus.published)).toBe('已发布')
    expect(label('lesson_status', programme.lessonStatus.unpublished)).toBe('已取消发布')
    expect(label('account_status', school.accountStatus.disabled)).toBe('停用')
    expect(label('flow_status', rules.flowStatus.draft)).toBe('草稿')
    expect(label('import_verdict', platform.importVerdict.skip)).toBe('跳过')
  })
})

/** What people read calls each thing by one word (docs/glossary.md, "One word for one thing"). */
const refusedWords = {
  下架: '取消发布',
  撤销公示: '取消公示',
  禁用: '停用',
  按评价体系: '按评价规则',
  "title: '操作记录'": '动态',
  取得日期: '获得日期',
  申报时间: '录入时间',
  打印激活单: '打印账号激活单',
  学号或工号: '学工号',
  工号或学号: '学工号',
  '学号、工号': '学工号',
}
/** What people have consented to stays as they read it. */
const consented = 'contract/school/session/notice-text.ts'

test('no second word for one thing stands where people read', () => {
  const read = sources.filter(
    (file) =>
      /^(contract|server|web)\//.test(relative(root, file)) &&
      !notTheProduct.test(file) &&
      relative(root, file) !== consented,
  )
  const found = read.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        Object.entries(refusedWords)
          .filter(([word]) => line.includes(word))
          .map(([word, instead]) => `${relative(root, file)}:${at + 1}: ${word} -> write ${instead}`),
      ),
  )
  expect(found).toEqual([])
})

/** What a name of the code may not be (docs/CODE_STYLE.md, "Words"), and what to write instead. */
const struckNames: Record<string, string> = {
  actsOn: 'allowedActions',
  'takeTurn|inTurn|inIssueTurn|inTurnOf': 'with…Lock or with…Queue',
  Standing: '…Status, …State or …Authority',
  'Asked|Asking|Wish': 'what is asked for, …Input, …Options or DbAndActor',
  '\\w*Matter\\w*|matterOf|matters?': 'ApprovalSubject or DisputeSubject',
  Ties: '…Relations or …Providers',
  'Telling|noteRefusal|tellRefusals': 'Notification, auditDenied, flushDenied',
  'Judged|Witness|Holders': 'RowResult, Duplicate, KeyOwners',
  'gaugeGrown|SupWorld|RecordSight|PaperColumn|ChartLook|NumberLook': 'see docs/CODE_STYLE.md',
  'useMay|useGone|useHeldDialog|useFirstRead|useLead|placeFaults': 'see docs/CODE_STYLE.md',
  'tend|tidy': 'what it does: enforce…, cleanUp…',
  'most[A-Z]\\w*|\\w+Most|longest[A-Z]\\w*|[a-z]\\w*Max': 'max…',
  'require(?:Move|Target)': 'assert…',
}
/** Files called by a struck word. */
const struckFiles = /\/(?:sight|matter|able|outrank|turns|standstill)(?:\.\w+)?\.tsx?$/

test('no name that was struck is declared anew', () => {
  const product = sources
    .map((file) => relative(root, file))
    .filter((file) => /^(contract|server|web)\//.test(file) && !notTheProduct.test(file) && !bareIsRight.test(file))
  const declared = Object.entries(struckNames).map(
    ([names, instead]) =>
      [
        new RegExp(`^\\s*(?:export )?(?:async )?(?:function|const|let|class|interface|type) (${names})\\b`, 'gm'),
        instead,
      ] as const,
  )
  const found = product.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return declared.flatMap(([pattern, instead]) =>
      [...text.matchAll(pattern)].map(([, name]) => `${file}: ${name!} -> write ${instead}`),
    )
  })
  expect(found).toEqual([])
  expect(product.filter((file) => struckFiles.test(`/${file}`))).toEqual([])
})

test('the marks of rows that count as deleted are constants of a statement, which partial indexes ask for', () => {
  const isService = (file: string) => /\/server\//.test(file) && !/\.test\.ts$|server\/(demo|testing)\//.test(file)
  const asParameter = /(?:delFlag|(?:inbox|outbox)Deleted)(?:', '(?:=|!=|<>)', yesNo|" (?:=|<>) \$\{yesNo)/
  expect(
    sources
      .filter((file) => isService(file) && asParameter.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file)),
  ).toEqual([])
})
