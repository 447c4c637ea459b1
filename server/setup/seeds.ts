import { treeTemplates } from '../curriculum/tree-templates.ts'
import { platformLabels } from '../labels/platform-labels.ts'

/** What a new school starts with (DOMAIN 2.1, 2.2, 2.5); all of it may be changed by the school. Amounts in hundredths. */

export const curriculumSeed = treeTemplates[0].modules

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
