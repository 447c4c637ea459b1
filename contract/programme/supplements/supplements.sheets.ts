import { dictionary } from '../../core/dictionary.ts'
import { sheet, type SheetColumn } from '../../core/sheets.ts'

const words = (entries: readonly (readonly [string, string])[]) => entries.map(([, label]) => label)

const who = [
  { key: 'suiNumber', isCode: true, label: '学号', required: true, max: 50, width: 18 },
  { key: 'suiName', label: '姓名', required: true, max: 50, hint: '须与学号一致' },
  { key: 'lisName', label: '名称', required: true, max: 100, width: 30, hint: '竞赛、证书或活动的全称' },
  { key: 'lsName', label: '模块', required: true, max: 100, kind: 'choice', width: 24 },
  { key: 'lisType', label: '类型', required: true, kind: 'choice', choices: words(dictionary.sup_type), width: 14 },
  { key: 'lisLevel', label: '级别', required: true, kind: 'choice', width: 12 },
  {
    key: 'lisPartakeMode',
    label: '参与方式',
    required: true,
    kind: 'choice',
    choices: words(dictionary.partake_mode),
    width: 14,
  },
] as const satisfies readonly SheetColumn[]

const what = [
  { key: 'lisOrg', label: '主办单位', max: 100, width: 24, hint: '主办或发证单位' },
  { key: 'lisObtainDate', label: '获得日期', required: true, kind: 'date', width: 14 },
  { key: 'certNo', label: '证书编号', max: 60, width: 20 },
  { key: 'lisTeam', label: '团队排位/人数', max: 20, hint: '第 2 位共 5 人填 2/5；个人不填', width: 16 },
  { key: 'lisHoursDeclared', label: '申请学时', kind: 'amount', max: 1000, hint: '不填按评价规则计', width: 12 },
  { key: 'lisPublictySdate', label: '公示开始', kind: 'date', hint: '审批通过后按此公示；不填由管理员安排', width: 14 },
  { key: 'lisPublictyEdate', label: '公示结束', kind: 'date', width: 14 },
  { key: 'lisDesc', label: '说明', max: 1000, width: 30 },
] as const satisfies readonly SheetColumn[]

/** Supplement records of any kind. */
export const supplementSheet = sheet({
  kind: 'supplement',
  title: '补录',
  version: 1,
  columns: [...who, { key: 'lisAward', label: '奖项', max: 30, hint: '没有获奖的不填', width: 14 }, ...what],
})

/** Supplement records with awards: the award is one of a template's. */
export const supplementAwardSheet = sheet({
  kind: 'supplementAward',
  title: '获奖补录',
  version: 1,
  columns: [
    ...who,
    { key: 'atName', label: '奖励模板', required: true, kind: 'choice', width: 16 },
    { key: 'lisAward', label: '奖项', required: true, kind: 'choice', width: 14 },
    ...what,
  ],
})
