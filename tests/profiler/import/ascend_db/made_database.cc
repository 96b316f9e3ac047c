#include "sightline/tests/profiler/import/ascend_db/made_database.h"

namespace sightline::testing {

const std::string_view kDatabaseTables = R"(
CREATE TABLE STRING_IDS (id INTEGER, value TEXT);
CREATE TABLE ENUM_API_TYPE (id INTEGER, name TEXT);
CREATE TABLE ENUM_MODULE (id INTEGER, name TEXT);
CREATE TABLE ENUM_HCCL_TRANSPORT_TYPE (id INTEGER, name TEXT);
CREATE TABLE ENUM_HCCL_LINK_TYPE (id INTEGER, name TEXT);
CREATE TABLE ENUM_HCCL_DATA_TYPE (id INTEGER, name TEXT);
CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER,
  globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER,
  taskId INTEGER, modelId INTEGER);
CREATE TABLE COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER, blockDim INTEGER,
  mixBlockDim INTEGER, taskType INTEGER, opType INTEGER, inputFormats INTEGER,
  inputDataTypes INTEGER, inputShapes INTEGER, outputFormats INTEGER, outputDataTypes INTEGER,
  outputShapes INTEGER, attrInfo INTEGER);
CREATE TABLE COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER,
  connectionId INTEGER, groupName INTEGER, opId INTEGER, relay INTEGER, retry INTEGER,
  dataType INTEGER, algType INTEGER, count NUMERIC, opType INTEGER);
CREATE TABLE COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER, taskType INTEGER,
  planeId INTEGER, groupName INTEGER, notifyId INTEGER, rdmaType INTEGER, srcRank INTEGER,
  dstRank INTEGER, transportType INTEGER, size INTEGER, dataType INTEGER, linkType INTEGER,
  opId INTEGER);
CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER,
  connectionId INTEGER, name INTEGER);
CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER,
  name INTEGER, sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER,
  inputShapes INTEGER, callchainId INTEGER, type INTEGER);
CREATE TABLE PYTORCH_CALLCHAINS (id INTEGER, stack INTEGER, stackDepth INTEGER);
CREATE TABLE CONNECTION_IDS (id INTEGER, connectionId INTEGER);
CREATE TABLE STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER);
CREATE TABLE MSTX_EVENTS (startNs INTEGER, endNs INTEGER, eventType INTEGER, rangeId INTEGER,
  category INTEGER, message INTEGER, globalTid INTEGER, endGlobalTid INTEGER, domainId INTEGER,
  connectionId INTEGER);
CREATE TABLE MEMORY_RECORD (component INTEGER, timestamp INTEGER, totalAllocated INTEGER,
  totalReserved INTEGER, totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);
CREATE TABLE OP_MEMORY (name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER,
  activeReleaseTime INTEGER, duration INTEGER, activeDuration INTEGER,
  allocationTotalAllocated INTEGER, allocationTotalReserved INTEGER,
  allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, releaseTotalReserved INTEGER,
  releaseTotalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);
CREATE TABLE NPU_MEM (type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER,
  deviceId INTEGER);
CREATE TABLE HBM (deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER,
  type INTEGER);
CREATE TABLE TASK_PMU_INFO (globalTaskId INTEGER, name INTEGER, value NUMERIC);
CREATE TABLE RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER);
CREATE TABLE HOST_INFO (hostUid TEXT, hostName TEXT);
CREATE TABLE META_DATA (name TEXT, value TEXT);
)";

// The thread 7 of the process 5 is 5 * 2^32 + 7 = 21474836487, the thread 8 is 21474836488.
std::string SmallProfileSql() {
  return std::string(kDatabaseTables) + R"(
INSERT INTO STRING_IDS VALUES (1, 'aten::conv2d'), (2, 'ProfilerStep#3'), (3, 'Enqueue'),
  (4, 'Dequeue@conv2d'), (5, 'launch'), (6, 'Conv2D1'), (7, 'Conv2D'), (8, 'AI_CORE'),
  (9, '"1,3;4"'), (10, 'EVENT_WAIT'), (11, 'hcom_allReduce__1_0_1'), (12, 'group'),
  (13, 'Notify_Wait'), (14, 'ConvBackward'), (15, 'FLOAT'), (16, 'main.py(7): train'),
  (17, 'conv.py(3): forward'), (18, 'PTA'), (19, 'app'), (20, 'read'), (21, 'batch 12'),
  (22, 'c10d::allreduce_');
INSERT INTO ENUM_API_TYPE VALUES (20000, 'acl'), (10000, 'node'), (50001, 'op'), (50002, 'queue');
INSERT INTO ENUM_HCCL_TRANSPORT_TYPE VALUES (0, 'SDMA');
INSERT INTO ENUM_HCCL_LINK_TYPE VALUES (1, 'HCCS');
INSERT INTO ENUM_HCCL_DATA_TYPE VALUES (4, 'FP32');
INSERT INTO PYTORCH_API VALUES
  ('1000', '9000', 21474836487, NULL, 2, NULL, NULL, NULL, NULL, NULL, 50001),
  ('1100', '1500', 21474836487, 0, 1, 1, 0, 15, 9, 4, 50001),
  ('1200', '1210', 21474836487, 1, 3, NULL, NULL, NULL, NULL, NULL, 50002),
  ('1220', '1400', 21474836488, 1, 4, NULL, NULL, NULL, NULL, NULL, 50002),
  ('6000', '6500', 21474836488, 2, 14, 1, 7, NULL, NULL, NULL, 50001),
  ('6600', '8900', 21474836488, NULL, 22, NULL, NULL, NULL, NULL, NULL, 50001);
INSERT INTO PYTORCH_CALLCHAINS VALUES (4, 16, 1), (4, 17, 0);
INSERT INTO CONNECTION_IDS VALUES (0, 500), (0, 900), (1, 800), (2, 900);
INSERT INTO CANN_API VALUES (1250, 1300, 10000, 21474836488, 500, 5),
  (1310, 1320, 20000, 21474836488, 501, 5), (7000, 7010, 10000, 21474836488, 502, 5);
INSERT INTO TASK VALUES (2000, 3000, 0, 500, 40, 5, 8, 0, 2, 1, 0),
  (3000, 3500, 0, 4294967295, 41, 5, 8, 0, 2, 2, 0), (3500, 3600, 0, 503, 42, 5, 10, 0, 2, 3, 0),
  (7200, 8000, 0, 4294967295, 43, 5, 10, 0, 4, 4, 0);
INSERT INTO COMPUTE_TASK_INFO VALUES (6, 40, 16, 0, 8, 7, 0, 15, 9, 0, 15, 9, 0);
INSERT INTO COMMUNICATION_OP VALUES (11, 7200, 8700, 502, 12, 1, 0, 0, 4, 0, 100, 0);
INSERT INTO COMMUNICATION_TASK_INFO VALUES (11, 43, 13, 2, 12, 0, 0, 0, 1, 0, 4096, 4, 1, 1);
INSERT INTO STEP_TIME VALUES (3, 1000, 9000);
INSERT INTO RANK_DEVICE_MAP VALUES (6, 0);
INSERT INTO HOST_INFO VALUES ('17', 'worker-2');
)";
}

}  // namespace sightline::testing
