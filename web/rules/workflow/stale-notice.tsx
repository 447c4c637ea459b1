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
      description="请先记下您修改的内容，再载入最新版本重新修改；对方的修改可在“历史版本”中查看。"
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
