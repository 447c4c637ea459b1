import { wordList } from './code-list.ts'

/** What is noticed at a sign-in and left to people: nothing is decided by it. */
export const signHint = wordList({
  device: '同一设备',
  forwarded: '失效签到码',
  far: '位置较远',
  offline: '离线补交',
})
