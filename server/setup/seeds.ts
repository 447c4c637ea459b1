import { entriesOf, type CodeOf } from '../../contract/core/codes/code-list.ts'
import { lessonLevel } from '../../contract/core/codes/rules.ts'
import { treeTemplates } from '../rules/curriculum/tree-templates.ts'
import { platformLabels } from '../rules/labels/platform-labels.ts'

/**
 * What a new school starts with (docs/rules.md R23, R24, R27); all of it may be changed by the school. Amounts in
 * hundredths.
 */

export const curriculumSeed = treeTemplates[0].modules

/** Kinds of circle (docs/rules.md R43) and of news, in their order. */
export const circleClassSeed = [
  '思想政治类',
  '学术科技类',
  '创新创业类',
  '文化体育类',
  '志愿公益类',
  '自律互助类',
  '其他',
]
export const newsTypeSeed = ['校园新闻', '通知公告', '活动风采']

/** In hundredths. */
const levelFactors: Record<CodeOf<typeof lessonLevel>, number> = {
  [lessonLevel.international]: 200,
  [lessonLevel.national]: 150,
  [lessonLevel.provincial]: 120,
  [lessonLevel.municipal]: 100,
  [lessonLevel.school]: 100,
  [lessonLevel.college]: 80,
  [lessonLevel.schoolClass]: 50,
  [lessonLevel.club]: 50,
}
/** [llId, name, factor in hundredths] */
export const levelSeed = entriesOf(lessonLevel).map(([llId, llName]) => [llId, llName, levelFactors[llId]] as const)

/** The five educations of the catalogue; what runs across them is for the school to adopt. */
export const labelSeed = platformLabels.filter(({ platformId }) => platformId !== 'general')
