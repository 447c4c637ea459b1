import type { CodeOf } from '../../../../contract/core/codes/code-list.ts'
import { signHint } from '../../../../contract/core/codes/signing.ts'

/** A stretch of seconds in words, by the minute from a minute on. */
const timeText = (seconds: number): string => (seconds < 60 ? `${seconds} 秒` : `${Math.round(seconds / 60)} 分钟`)

/** What a hint says, to whoever looks into it. Pure. */
export function hintText(kind: CodeOf<typeof signHint>, amount: number): string {
  switch (kind) {
    case signHint.device:
      return `本场另有 ${amount} 人使用同一设备签到`
    case signHint.forwarded:
      return `使用了失效 ${timeText(amount)}的签到码，可能是他人转发的，未计入`
    case signHint.far:
      return `在距活动地点约 ${amount < 1000 ? `${amount} 米` : `${(amount / 1000).toFixed(1)} 千米`}处签到，未计入`
    case signHint.offline:
      return `无网络时扫码，${timeText(amount)}后补交`
  }
}
