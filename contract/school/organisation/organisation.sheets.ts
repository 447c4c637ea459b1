import { dictionary } from '../../core/dictionary.ts'
import { sheet } from '../../core/sheets.ts'

const eduLevels = dictionary.edu_level.map(([, label]) => label)
const departmentTypes = dictionary.department_type.map(([, label]) => label)

export const collegeSheet = sheet({
  kind: 'college',
  title: '学院',
  version: 1,
  columns: [
    {
      key: 'scCode',
      isCode: true,
      label: '学院编码',
      aliases: ['编码', '代码', '学院代码', '院系代码', '院系编码'],
      required: true,
      max: 20,
      width: 14,
      hint: '全校唯一，按它更新已有学院',
    },
    {
      key: 'scName',
      label: '学院名称',
      aliases: ['学院', '名称', '院系', '院系名称'],
      required: true,
      max: 50,
      width: 26,
    },
    { key: 'scShort', label: '简称', max: 20, width: 14 },
    { key: 'scSort', label: '排序', kind: 'integer', max: 9999, width: 8 },
  ],
})

export const majorSheet = sheet({
  kind: 'major',
  title: '专业',
  version: 1,
  columns: [
    {
      key: 'smCode',
      isCode: true,
      label: '专业代码',
      aliases: ['专业编码', '代码'],
      required: true,
      max: 20,
      width: 14,
      hint: '全校唯一，按它更新已有专业',
    },
    { key: 'smName', label: '专业名称', aliases: ['专业'], required: true, max: 50, width: 26 },
    { key: 'scName', label: '所属学院', aliases: ['学院', '学院名称'], required: true, max: 50, width: 26 },
    {
      key: 'eduLevel',
      label: '层次',
      aliases: ['学历层次', '培养层次'],
      kind: 'choice',
      choices: eduLevels,
      width: 10,
    },
    { key: 'years', label: '学制', aliases: ['学制（年）'], kind: 'integer', min: 1, max: 9, width: 8 },
  ],
})

export const classSheet = sheet({
  kind: 'class',
  title: '班级',
  version: 1,
  columns: [
    { key: 'scClassCode', isCode: true, label: '班级编码', aliases: ['编码', '班级代码', '班号'], max: 30, width: 14 },
    {
      key: 'scClassName',
      label: '班级名称',
      aliases: ['班级'],
      required: true,
      max: 50,
      width: 22,
      hint: '同专业同年级内唯一',
    },
    { key: 'scName', label: '所属学院', aliases: ['学院', '学院名称'], required: true, max: 50, width: 26 },
    { key: 'smName', label: '所属专业', aliases: ['专业', '专业名称'], required: true, max: 50, width: 26 },
    {
      key: 'scClassGrade',
      label: '年级',
      aliases: ['入学年份', '入学年级'],
      required: true,
      max: 6,
      width: 10,
      hint: '如 2023',
    },
    { key: 'counselorNumber', isCode: true, label: '辅导员工号', aliases: ['辅导员'], max: 30, width: 14 },
  ],
})

export const departmentSheet = sheet({
  kind: 'department',
  title: '部门',
  version: 1,
  columns: [
    {
      key: 'sdCode',
      isCode: true,
      label: '部门编码',
      aliases: ['编码', '部门代码'],
      required: true,
      max: 20,
      width: 14,
      hint: '全校唯一，按它更新已有部门',
    },
    { key: 'sdName', label: '部门名称', aliases: ['部门', '名称'], required: true, max: 50, width: 26 },
    {
      key: 'parentName',
      label: '上级部门',
      aliases: ['上级', '上级部门名称'],
      max: 50,
      width: 26,
      hint: '名称或编码，可以是本文件中的部门',
    },
    { key: 'sdType', label: '类型', aliases: ['部门类型'], kind: 'choice', choices: departmentTypes, width: 14 },
  ],
})

export const departmentUserSheet = sheet({
  kind: 'departmentUser',
  title: '部门成员',
  version: 1,
  columns: [
    {
      key: 'sdName',
      label: '部门名称',
      aliases: ['部门', '部门编码'],
      required: true,
      max: 50,
      width: 26,
      hint: '名称或编码',
    },
    {
      key: 'suiNumber',
      isCode: true,
      label: '工号',
      aliases: ['学号', '学/工号', '学工号'],
      required: true,
      max: 30,
      width: 16,
    },
    { key: 'suiName', label: '姓名', max: 50, width: 12, hint: '用于核对，可以不填' },
    { key: 'post', label: '职务', max: 30, width: 16 },
  ],
})
