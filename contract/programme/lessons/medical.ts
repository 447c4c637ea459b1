import { valuesOf } from '../../core/dictionary.ts'
import { optionalText, pick } from '../../core/fields.ts'

/** What the form of a medical university's course asks beyond the ordinary one (docs/rules.md R7). */
export const medicalShape = {
  medicalCategory: pick('医学实践类别', valuesOf('medical_category')).optional(),
  practiceHospital: optionalText('实践医院', 100),
  practiceWard: optionalText('实践科室', 50),
  tutorName: optionalText('带教老师', 50),
  tutorTitle: optionalText('带教老师职称', 50),
  ethicsNo: optionalText('伦理审批号', 50),
  protection: optionalText('防护要求', 200),
}

/** What such a course cannot do without. */
export const medicalNeeds = {
  medicalCategory: '请选择医学实践类别',
  practiceHospital: '请输入实践医院',
  tutorName: '请输入带教老师',
} as const satisfies Partial<Record<keyof typeof medicalShape, string>>
