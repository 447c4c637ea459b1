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

/** [llId, name, factor in hundredths] */
export const levelSeed = [
  ['1', '国际级', 200],
  ['2', '国家级', 150],
  ['3', '省（部）级', 120],
  ['4', '市级', 100],
  ['5', '校级', 100],
  ['6', '院（系）级', 80],
  ['7', '班（团支部）级', 50],
  ['8', '社团级', 50],
] as const

/** The five educations of the catalogue; what runs across them is for the school to adopt. */
export const labelSeed = platformLabels.filter(({ platformId }) => platformId !== 'general')
