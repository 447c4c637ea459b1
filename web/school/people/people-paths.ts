import { detailPath } from '../../shared/transcripts/transcript-paths.ts'

export const studentPaths = {
  list: '/personnelAdmin/studentAdmin',
  add: '/personnelAdmin/studentAdmin/add',
  edit: (suId: string) => `/personnelAdmin/studentAdmin/edit?suId=${suId}`,
  detail: (suId: string) => `/personnelAdmin/studentAdmin/detail?suId=${suId}`,
  transcript: detailPath,
  graduation: '/personnelAdmin/studentAdmin/graduation',
}

export const teacherPaths = {
  list: '/personnelAdmin/teacherAdmin',
  add: '/personnelAdmin/teacherAdmin/add',
  edit: (suId: string) => `/personnelAdmin/teacherAdmin/edit?suId=${suId}`,
  detail: (suId: string) => `/personnelAdmin/teacherAdmin/detail?suId=${suId}`,
}
