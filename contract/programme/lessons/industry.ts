import { z } from 'zod'
import { yesNo as yesNoCodes } from '../../core/codes/platform.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { id, optionalText, pick } from '../../core/fields.ts'
import { medicalShape } from './medical.ts'

/** A unified social credit code (GB 32100) whose last character fits the others. */
function isCreditCode(code: string): boolean {
  const characters = '0123456789ABCDEFGHJKLMNPQRTUWXY'
  const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
  if (code.length !== 18 || [...code].some((character) => !characters.includes(character))) return false
  const sum = weights.reduce((total, weight, at) => total + weight * characters.indexOf(code[at]!), 0)
  return characters[(31 - (sum % 31)) % 31] === code[17]
}

const yesNo = (label: string) => pick(label, [yesNoCodes.no, yesNoCodes.yes]).optional()

/**
 * What the forms of industry and medical courses ask beyond the ordinary one (docs/rules.md R7): the partner in
 * industry, the project, safety off campus; the hospital and its tutor.
 */
export const industryExt = z.strictObject({
  ...medicalShape,
  industryField: pick('行业门类', valuesOf('industry_field')).optional(),
  cooperationType: pick('合作方式', valuesOf('cooperation_type')).optional(),
  cooperationUnit: optionalText('合作企业', 100),
  cooperationCode: optionalText('统一社会信用代码', 18).refine(
    (code) => code === undefined || isCreditCode(code),
    '统一社会信用代码不正确，请核对 18 位代码',
  ),
  cooperationContact: optionalText('企业联系人', 50),
  cooperationPhone: optionalText('企业联系电话', 20),
  mentorName: optionalText('企业导师', 50),
  mentorTitle: optionalText('导师职务', 50),
  mentorPhone: optionalText('导师电话', 20),
  baseName: optionalText('实践基地', 100),
  projectNo: optionalText('项目编号', 50),
  projectStage: pick('项目阶段', valuesOf('project_stage')).optional(),
  moduleAttr: pick('模块属性', valuesOf('module_attr')).optional(),
  deliverable: optionalText('成果形式', 500),
  deptGuide: optionalText('业务指导部门', 100),
  starRule: optionalText('星级规则', 200),
  smallClass: yesNo('小班辅导'),
  insurance: yesNo('意外险'),
  transport: optionalText('交通安排', 200),
  agreementFile: id('合作协议').optional(),
  safetyDutyFile: id('安全责任书').optional(),
  /** Asked for by every course off campus, whichever its form. */
  safetyPlanFile: id('安全预案').optional(),
})
export type IndustryExt = z.output<typeof industryExt>

/** What an industry course cannot do without. */
export const industryNeeds = {
  industryField: '请选择行业门类',
  cooperationType: '请选择合作方式',
  cooperationUnit: '请输入合作企业',
} as const satisfies Partial<Record<keyof IndustryExt, string>>

/** The papers among it. */
export const industryFiles = [
  'agreementFile',
  'safetyDutyFile',
  'safetyPlanFile',
] as const satisfies readonly (keyof IndustryExt)[]
