import { sheet } from '../../core/sheets.ts'

export const roleUserSheet = sheet({
  kind: 'roleUser',
  title: '角色成员',
  version: 1,
  columns: [
    { key: 'srName', label: '角色名称', aliases: ['角色'], required: true, max: 30, width: 18, kind: 'choice' },
    {
      key: 'suiNumber',
      isCode: true,
      label: '学工号',
      aliases: ['学号', '工号', '学/工号'],
      required: true,
      max: 30,
      width: 16,
    },
    { key: 'suiName', label: '姓名', max: 50, width: 12, hint: '用于核对，可以不填' },
    {
      key: 'area',
      label: '管理范围',
      aliases: ['范围'],
      max: 500,
      width: 40,
      hint: '按角色填写学院、专业、班级、部门、课程体系或年级（如 2023级）的名称，多个用、分隔；填“全校”表示全校',
    },
  ],
})

export const leagueSecretarySheet = sheet({
  kind: 'leagueSecretary',
  title: '团支书',
  version: 1,
  columns: [
    {
      key: 'suiNumber',
      isCode: true,
      label: '学号',
      aliases: ['学生学号', '团支书学号'],
      required: true,
      max: 30,
      width: 16,
    },
    { key: 'suiName', label: '姓名', max: 50, width: 12, hint: '用于核对，可以不填' },
    {
      key: 'scClassName',
      label: '班级',
      aliases: ['班级名称', '所在班级'],
      required: true,
      max: 120,
      width: 30,
      hint: '该学生所在班级的名称或编码；班级已有团支书的，导入后由该学生接任',
    },
  ],
})
