#include "sightline/dashboard/http/http_message.h"

#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"

namespace sightline::dashboard {
namespace {

// The code of an error, by which the page distinguishes errors.
std::string_view CodeOf(unsigned status) {
  switch (status) {
    case 400:
      return "invalid argument";
    case 401:
      return "no access";
    case 403:
      return "forbidden";
    case 404:
      return "not found";
    case 405:
      return "method not allowed";
    case 408:
      return "timeout";
    case 413:
      return "body too large";
    case 431:
      return "header too large";
    case 503:
      return "busy";
    default:
      return "internal error";
  }
}

unsigned HttpStatusOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return 200;
    case StatusCode::kInvalidArgument:
    case StatusCode::kResourceExhausted:
      return 400;
    case StatusCode::kNotFound:
      return 404;
    case StatusCode::kUnavailable:
      return 503;
    case StatusCode::kAlreadyExists:
    case StatusCode::kPermissionDenied:
    case StatusCode::kFailedPrecondition:
    case StatusCode::kDataLoss:
    case StatusCode::kUnimplemented:
    case StatusCode::kIoError:
      return 500;
  }
  return 500;
}

}  // namespace

Response JsonResponse(const nlohmann::ordered_json& json) {
  Response response;
  response.body = JsonLine(json);
  return response;
}

Response ErrorResponse(unsigned status, std::string_view message, std::string_view code) {
  Response response = JsonResponse(
      {{"error", {{"code", code.empty() ? CodeOf(status) : code}, {"message", message}}}});
  response.status = status;
  return response;
}

Response ErrorResponse(const Status& status) {
  return ErrorResponse(HttpStatusOf(status.code()), status.message(),
                       StatusCodeName(status.code()));
}

std::string_view StatusText(unsigned status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 304:
      return "Not Modified";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

}  // namespace sightline::dashboard
