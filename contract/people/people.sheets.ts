import { dictionary } from '../core/dictionary.ts'
import { sheet } from '../core/sheets.ts'

const words = (type: 'sex' | 'edu_level' | 'teacher_title' | 'teacher_type') => dictionary[type].map(([, label]) => label)

export const studentSheet = sheet({
  kind: 'student',
  title: '学生',
  version: 1,
  columns: [
    { key: 'suiNumber', label: '学号', aliases: ['学生学号'], required: true, max: 30, width: 16, hint: '全校唯一，按它更新已有学生' },
    { key: 'suiName', label: '姓名', aliases: ['学生姓名'], required: true, max: 50, width: 12 },
    { key: 'suiSex', label: '性别', required: true, kind: 'choice', choices: words('sex'), width: 8 },
    { key: 'collegeName', label: '学院', aliases: ['所属学院', '院系'], required: true, max: 50, width: 24 },
    { key: 'majorName', label: '专业', aliases: ['所属专业', '专业名称'], required: true, max: 50, width: 24 },
    { key: 'className', label: '班级', aliases: ['所属班级', '班级名称', '行政班'], required: true, max: 50, width: 20 },
    { key: 'suiGrade', label: '年级', aliases: ['入学年级', '入学年份'], required: true, max: 6, width: 10, hint: '如 2023' },
    { key: 'suiPolitical', label: '政治面貌', kind: 'choice', width: 14, sensitive: true },
    { key: 'suiNation', label: '民族', kind: 'choice', width: 12 },
    { key: 'birth', label: '出生日期', aliases: ['生日'], kind: 'date', width: 14, sensitive: true },
    { key: 'suiPhone', label: '手机', aliases: ['手机号', '手机号码', '联系电话'], max: 30, width: 16, sensitive: true },
    { key: 'suiEmail', label: '邮箱', aliases: ['电子邮箱', 'Email'], max: 100, width: 22, sensitive: true },
    { key: 'suiIdCard', label: '身份证号', aliases: ['身份证', '身份证号码'], max: 18, width: 22, hint: '加密保存', sensitive: true },
    { key: 'suiStudyYears', label: '学制', kind: 'integer', min: 1, max: 9, width: 8 },
    { key: 'suiEduLevel', label: '层次', aliases: ['培养层次', '学历层次'], kind: 'choice', choices: words('edu_level'), width: 10 },
    { key: 'provinceName', label: '籍贯省', aliases: ['省', '省份'], max: 30, width: 14 },
    { key: 'cityName', label: '籍贯市', aliases: ['市', '城市'], max: 30, width: 14 },
    { key: 'areaName', label: '籍贯区', aliases: ['区', '区县', '籍贯区县'], max: 30, width: 14 },
  ],
})

export const teacherSheet = sheet({
  kind: 'teacher',
  title: '教师',
  version: 1,
  columns: [
    { key: 'suiNumber', label: '工号', aliases: ['教师工号', '职工号'], required: true, max: 30, width: 16, hint: '全校唯一，按它更新已有教师' },
    { key: 'suiName', label: '姓名', aliases: ['教师姓名'], required: true, max: 50, width: 12 },
    { key: 'suiSex', label: '性别', kind: 'choice', choices: words('sex'), width: 8 },
    { key: 'departmentNames', label: '部门', aliases: ['所属部门'], max: 200, width: 24, hint: '学院与部门至少填一项；多个部门用、分隔' },
    { key: 'collegeName', label: '学院', aliases: ['所属学院', '院系'], max: 50, width: 24, hint: '学院与部门至少填一项' },
    { key: 'title', label: '职称', kind: 'choice', choices: words('teacher_title'), width: 12 },
    { key: 'teacherType', label: '类型', aliases: ['教师类型'], kind: 'choice', choices: words('teacher_type'), width: 12 },
    { key: 'suiPhone', label: '手机', aliases: ['手机号', '手机号码', '联系电话'], max: 30, width: 16, sensitive: true },
    { key: 'suiEmail', label: '邮箱', aliases: ['电子邮箱', 'Email'], max: 100, width: 22, sensitive: true },
    { key: 'birth', label: '出生日期', aliases: ['生日'], kind: 'date', width: 14, sensitive: true },
  ],
})
