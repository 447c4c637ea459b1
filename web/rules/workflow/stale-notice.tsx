import { Alert, Button } from 'antd'

/**
 * Somebody else has saved the flow meanwhile: nothing of one's own is lost yet, but it cannot be saved over the
 * other's.
 */
export function StaleNotice({ onReload }: { onReload?: (() => void) | undefined }) {
  return (
    <Alert
      className="flow-stale"
      type="warning"
      showIcon
      title="该流程刚被其他人修改，您的修改尚未保存"
      description="载入最新版本后可恢复您的修改，与对方的逐项核对后再保存；对方的修改可在“历史版本”中查看。"
      action={
        onReload && (
          <Button size="small" onClick={onReload}>
            载入最新版本
          </Button>
        )
      }
    />
  )
}
